#include "actforge/data/source/table.h"

#include <gtest/gtest.h>

#include <cmath>

#include "actforge/data/normalisation.h"
#include "tests/data/problems.h"
#include "tests/data/scratch.h"

namespace actforge {
namespace {

SourceData read(const std::string& train, const SourceOptions& options = {.test = 0}) {
  return source_of_tables({{.origin = "t.csv", .text = train}}, options);
}

SourceData read_both(const std::string& train, const std::string& test) {
  return source_of_tables({{.part = SplitPart::kTest, .origin = "test.csv", .text = test},
                           {.part = SplitPart::kTrain, .origin = "t.csv", .text = train}},
                          {});
}

std::string refusal(const std::string& train, const SourceOptions& options = {.test = 0}) {
  return message_of([&] { read(train, options); });
}

std::vector<float> row(const ImageSet& set, std::size_t index) {
  return {set.numbers(index).begin(), set.numbers(index).end()};
}

TEST(Table, NumbersStayAndCategoriesBecomeIndicators) {
  const SourceData data = read("age,job,class\n1.5,cook,yes\n2,smith,no\n+3e1,cook,no\n");
  EXPECT_EQ(data.class_names, (std::vector<std::string>{"no", "yes"}));
  EXPECT_EQ(data.train.labels, (std::vector<int>{1, 0, 0}));
  EXPECT_EQ(data.train.shape, (ImageShape{.channels = 3, .height = 1, .width = 1}));
  EXPECT_EQ(row(data.train, 0), (std::vector<float>{1.5f, 1, 0}));
  EXPECT_EQ(row(data.train, 1), (std::vector<float>{2, 0, 1}));
  EXPECT_EQ(row(data.train, 2), (std::vector<float>{30, 1, 0}));
  EXPECT_EQ(data.train.fixed, (std::vector<std::uint8_t>{0, 1, 1}));
}

// The form of UCI's Adult: no header, blanks after commas, a comment and full stops in the test file.
TEST(Table, FormOfAdult) {
  const SourceData data = read_both("39, State-gov, 77516, <=50K\n50, ?, 83311, >50K\n38, Private, 2, <=50K\n",
                                    "|1x3 Cross validator\n25, Private, 226802, <=50K.\n1, Never-seen, 2, >50K.\n");
  EXPECT_EQ(data.class_names, (std::vector<std::string>{"<=50K", ">50K"}));
  EXPECT_EQ(data.test.labels, (std::vector<int>{0, 1}));
  EXPECT_EQ(row(data.train, 1), (std::vector<float>{50, 1, 0, 0, 83311}));  // missing, Private, State-gov
  EXPECT_EQ(row(data.test, 1), (std::vector<float>{1, 0, 0, 0, 2}));
  ASSERT_EQ(data.findings.size(), 3u);
  EXPECT_EQ(data.findings[1].text, "1 value in 1 row: the mean of the column, or a category of its own");
  EXPECT_EQ(data.findings[2].what, "unknown");
}

TEST(Table, AMissingNumberIsTheMeanOfItsTrainingRows) {
  const SourceData data = read("a,b,y\n1,?,p\n,5,q\n3,7,p\n100,9,q\n");
  EXPECT_TRUE(std::isnan(row(data.train, 1)[0]));
  const std::vector<std::uint32_t> training = {0, 1, 2};
  const ChannelStats stats = channel_stats(data.train, training);
  EXPECT_EQ(stats.mean, (std::vector<double>{2, 6}));
  EXPECT_EQ(stats.deviation, (std::vector<double>{1, 1}));
  EXPECT_EQ(make_normalisation(Normalise::kNone, data.train, training).fill, stats.mean);
}

TEST(Table, PoliciesForMissingValues) {
  const std::string text = "a,b,y\n1,2,p\n?,5,q\n3,7,q\n";
  const SourceData data = read(text, {.test = 0, .missing = "drop"});
  EXPECT_EQ(data.train.labels, (std::vector<int>{0, 1}));
  EXPECT_EQ(data.findings[1].text, "1 value in 1 row, which are left out");
  EXPECT_EQ(refusal(text, {.test = 0, .missing = "error"}), "t.csv, line 3: the value of 'a' is missing");
  EXPECT_EQ(read(text, {.test = 0, .missing = "error", .ignore = "a"}).train.size(), 3u);
}

TEST(Table, TargetByNameOrNumber) {
  const std::string text = "kind,a,b\nx,1,2\ny,3,4\n";
  EXPECT_EQ(read(text, {.test = 0, .target = "kind"}).class_names, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(read(text, {.test = 0, .target = "1"}).class_names, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(read(text).class_names, (std::vector<std::string>{"2", "4"}));
  EXPECT_EQ(read("label,a\nx,1\ny,3\n").class_names, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(refusal(text, {.test = 0, .target = "knd"}),
            "code 2: there is no column 'knd'; did you mean 'kind'? (there are: kind, a, b)");
}

TEST(Table, SeparatorsQuotesAndEnds) {
  EXPECT_EQ(read("a;y\r\n1;p\r\n2;q\r\n").train.size(), 2u);
  EXPECT_EQ(read("\xEF\xBB\xBF"
                 "a\ty\n1\tp\n\n2\tq")
                .train.size(),
            2u);
  const SourceData data = read("a,y\n1,\"p, \"\"or\n q\"\n2,r\n");
  EXPECT_EQ(data.class_names[0], "p, \"or\n q");
  EXPECT_EQ(read("5,1\n6,2\n").train.size(), 2u);  // no header
  EXPECT_EQ(read("5,1\n6,2\n", {.test = 0, .header = "yes"}).class_names, (std::vector<std::string>{"2"}));
}

TEST(Table, CodesMayBeCategories) {
  const SourceData data = read("zip,y\n10,p\n20,q\n10,q\n", {.test = 0, .categorical = "zip"});
  EXPECT_EQ(row(data.train, 2), (std::vector<float>{1, 0}));
}

TEST(Table, WhatIsWrongIsSaidWithItsLine) {
  EXPECT_EQ(refusal("a,b,y\n1,2,p\n1,2\n"), "t.csv, line 3: 2 fields, not 3 as line 1 has");
  EXPECT_EQ(refusal("a,y\n1,\"p\n"), "t.csv, line 2: a quote is not closed");
  EXPECT_EQ(refusal("a,y\n1,\"p\"x\n"), "t.csv, line 2: text after the end of a quoted field");
  EXPECT_EQ(refusal("a,y\n1,p\n2,\n"), "t.csv, line 3: the target 'y' is missing");
  EXPECT_EQ(refusal(""), "t.csv: there are no rows");
  EXPECT_EQ(refusal(std::string("a,y\n1,\0p\n", 8)), "t.csv, line 1: it is not text");
  EXPECT_EQ(refusal("a,b,y\n?,1,p\n,2,q\n"),
            "t.csv: column 'a' has no values in the training part; ignore=a leaves it out");
  EXPECT_EQ(refusal("a,a\n1,p\n2,q\n", {.test = 0, .header = "yes"}),
            "t.csv, line 1: two columns have the same name; header=no, if these are no names");
  EXPECT_NE(refusal("a,y\n1,0.5\n2,1.5\n").find("t.csv, line 2: the target 'y' is 0.5, not a class; "),
            std::string::npos);
  const auto both = [](const std::string& train, const std::string& test) {
    return message_of([&] { read_both(train, test); });
  };
  EXPECT_EQ(both("a,y\n1,p\n2,q\n", "a,y\n1,p\n\n2,pp\n"),
            "test.csv, line 4: the training part has no class 'pp'; did you mean 'p'?");
  EXPECT_EQ(both("a,y\n1,p\n2,q\n", "a,y\nx,p\n"),
            "test.csv, line 2: 'x' in the column 'a', which has numbers in the training part");
  EXPECT_EQ(both("a,y\n1,p\n2,q\n", "b,y\n1,p\n"),
            "test.csv, line 1: the names of the columns are not those of the training part");
  EXPECT_EQ(both("a,y\n1,p\n2,q\n", "1,2,p\n"), "test.csv, line 1: 3 columns, not 2 as the training part has");
}

// The columns are what the training rows make of them: no test row adds a category or moves a mean.
TEST(Table, TestRowsAreDrawnBeforeAnyColumnIsLookedAt) {
  std::string text = "a,c,y\n";
  for (int i = 0; i < 100; ++i) {
    text += std::to_string(i) + ",c" + std::to_string(i) + (i % 4 == 0 ? ",p\n" : ",q\n");
  }
  const SourceData data = read(text, {.test = 0.2});
  EXPECT_EQ(data.train.size(), 80u);
  EXPECT_EQ(data.test.size(), 20u);
  EXPECT_EQ(std::count(data.test.labels.begin(), data.test.labels.end(), 0), 5);
  EXPECT_EQ(data.train.shape.channels, 1 + 80);
  for (std::size_t i = 0; i < data.test.size(); ++i) {
    const std::vector<float> values = row(data.test, i);
    EXPECT_EQ(std::count(values.begin() + 1, values.end(), 1.0f), 0);
  }
  EXPECT_EQ(read(text, {.test = 0.2}).test.values, data.test.values);
  EXPECT_NE(read(text, {.test = 0.2, .seed = 1}).test.labels.size(), 0u);
  EXPECT_NE(read(text, {.test = 0.2, .seed = 1}).test.values, data.test.values);
}

}  // namespace
}  // namespace actforge
