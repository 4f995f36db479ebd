#include "actforge/base/csv.h"

#include <gtest/gtest.h>

#include "actforge/base/error.h"
#include "actforge/base/random.h"

namespace actforge {
namespace {

using Rows = std::vector<std::vector<std::string>>;

TEST(Csv, ReadsFieldsAndRows) {
  EXPECT_EQ(parse_csv("a,b\nc,d\n"), (Rows{{"a", "b"}, {"c", "d"}}));
  EXPECT_EQ(parse_csv("a,b\nc,d"), (Rows{{"a", "b"}, {"c", "d"}}));  // the last line may lack its end
  EXPECT_EQ(parse_csv("a"), (Rows{{"a"}}));
  EXPECT_EQ(parse_csv(" a , b \n"), (Rows{{" a ", " b "}}));  // blanks are part of a field
}

TEST(Csv, FieldsMayBeEmpty) {
  EXPECT_EQ(parse_csv(",\n"), (Rows{{"", ""}}));
  EXPECT_EQ(parse_csv("a,,c\n"), (Rows{{"a", "", "c"}}));
  EXPECT_EQ(parse_csv("a,"), (Rows{{"a", ""}}));
  EXPECT_EQ(parse_csv("a,\n,b"), (Rows{{"a", ""}, {"", "b"}}));
  EXPECT_EQ(parse_csv("\"\",a"), (Rows{{"", "a"}}));
}

TEST(Csv, EmptyLinesAreLeftOut) {
  EXPECT_EQ(parse_csv(""), Rows{});
  EXPECT_EQ(parse_csv("\n\r\n\n"), Rows{});
  EXPECT_EQ(parse_csv("\na\n\n\nb\n\n"), (Rows{{"a"}, {"b"}}));
}

TEST(Csv, QuotesHoldAnything) {
  EXPECT_EQ(parse_csv("\"a,b\",c\n"), (Rows{{"a,b", "c"}}));
  EXPECT_EQ(parse_csv("\"a\nb\",c\n"), (Rows{{"a\nb", "c"}}));
  EXPECT_EQ(parse_csv("\"a\r\nb\"\r\nc"), (Rows{{"a\r\nb"}, {"c"}}));
  EXPECT_EQ(parse_csv("\"say \"\"hi\"\"\""), (Rows{{"say \"hi\""}}));
  EXPECT_EQ(parse_csv("\"\"\"\""), (Rows{{"\""}}));
  EXPECT_EQ(parse_csv("a\"b,c"), (Rows{{"a\"b", "c"}}));  // within a field they are a character
}

TEST(Csv, EveryEndOfLineWillDo) {
  const Rows wanted = {{"a", "b"}, {"c", "d"}};
  for (const std::string end : {"\n", "\r\n", "\r"}) {
    EXPECT_EQ(parse_csv("a,b" + end + "c,d" + end), wanted);
    EXPECT_EQ(parse_csv("a,\"b\"" + end + "\"c\",d"), wanted);
  }
}

TEST(Csv, AMarkAtTheBeginningIsNotData) {
  EXPECT_EQ(parse_csv("\xEF\xBB\xBF"
                      "a,b"),
            (Rows{{"a", "b"}}));
  EXPECT_EQ(parse_csv("\xEF\xBB\xBF\"a\",b"), (Rows{{"a", "b"}}));
  EXPECT_EQ(parse_csv("\xEF\xBB\xBF"), Rows{});
}

std::string complaint(const std::string& text) {
  try {
    parse_csv(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kBadInput);
    return error.what();
  }
  return "none";
}

TEST(Csv, QuotesThatDoNotCloseAreFound) {
  EXPECT_EQ(complaint("\""), "line 1: a quote is not closed");
  EXPECT_EQ(complaint("a,\"b\nc\nd"), "line 1: a quote is not closed");
  EXPECT_EQ(complaint("a\n\nb,\"c\"\"\n"), "line 3: a quote is not closed");
  EXPECT_EQ(complaint("\"a\r\nb\"\r\nc\r\n\"d"), "line 4: a quote is not closed");
  EXPECT_EQ(complaint("a\rb\r\"d"), "line 3: a quote is not closed");
}

TEST(Csv, WritesQuotesWhereNeeded) {
  EXPECT_EQ(csv_field("relu(x)"), "relu(x)");
  EXPECT_EQ(csv_field("max(x,0)"), "\"max(x,0)\"");
  EXPECT_EQ(csv_field("say \"hi\""), "\"say \"\"hi\"\"\"");
  EXPECT_EQ(csv_field("a\nb"), "\"a\nb\"");
  EXPECT_EQ(csv_field("a\rb"), "\"a\rb\"");
  EXPECT_EQ(csv_field(""), "");
}

std::string random_field(Random& random) {
  static const std::vector<std::string> kPieces = {
      ",",  "\"", "\n", "\r", "\r\n", " ", "a", "ü", "'", ";", "\t", "\"\"", "\xEF\xBB\xBF", std::string(1, '\0'),
      "max"};
  std::string field;
  for (std::uint64_t i = random.below(6); i > 0; --i) field += kPieces[random.below(kPieces.size())];
  return field;
}

TEST(Csv, ReadsWhatItWrites) {
  Random random(7);
  for (int round = 0; round < 2000; ++round) {
    Rows rows;
    std::string text;
    for (std::uint64_t r = random.below(5); r > 0; --r) {
      std::vector<std::string> row = {"x"};  // a row of one empty field would be an empty line
      for (std::uint64_t c = random.below(4); c > 0; --c) row.push_back(random_field(random));
      for (std::size_t c = 0; c < row.size(); ++c) text += (c == 0 ? "" : ",") + csv_field(row[c]);
      text += round % 2 == 0 ? "\n" : "\r\n";
      rows.push_back(row);
    }
    EXPECT_EQ(parse_csv(text), rows);
  }
}

}  // namespace
}  // namespace actforge
