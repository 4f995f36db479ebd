#include "actforge/base/option_field.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "actforge/base/error.h"

namespace actforge {
namespace {

struct Options {
  std::uint64_t count = 3;
  double rate = 0.25;
  double level = -std::numeric_limits<double>::infinity();
  bool fast = false;
  std::string colour = "red";
};

constexpr OptionField<Options> kFields[] = {
    {"count", "how many", &Options::count, 1, 10},
    {"rate", "how fast", &Options::rate, 0},
    {"level", "how high", &Options::level, -std::numeric_limits<double>::infinity()},
    {"fast", "or slow", &Options::fast},
    {"colour", "of all", &Options::colour, 0, 0, "red green"},
};

std::string complaint(std::size_t field, const std::string& text) {
  Options options;
  try {
    set_field(options, kFields[field], text);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
    return error.what();
  }
  return {};
}

TEST(OptionField, ReadsWhatItPrints) {
  const Options changed = {.count = 7, .rate = 1e-3, .level = 0.5, .fast = true, .colour = "green"};
  Options options;
  for (const auto& field : kFields) {
    const std::string text = field_text(options, field);
    set_field(options, field, text);
    EXPECT_EQ(field_text(options, field), text);
    set_field(options, field, field_text(changed, field));
  }
  EXPECT_EQ(options.count, 7u);
  EXPECT_EQ(options.rate, 1e-3);
  EXPECT_EQ(options.level, 0.5);
  EXPECT_TRUE(options.fast);
  EXPECT_EQ(options.colour, "green");
}

TEST(OptionField, SaysWhatMayStandThere) {
  EXPECT_EQ(complaint(0, "11"), "--count takes a whole number from 1 to 10, not '11'");
  EXPECT_EQ(complaint(0, "2.5"), "--count takes a whole number from 1 to 10, not '2.5'");
  EXPECT_EQ(complaint(0, ""), "--count takes a whole number from 1 to 10, not ''");
  EXPECT_EQ(complaint(1, "-1"), "--rate takes a number from 0 on, not '-1'");
  EXPECT_EQ(complaint(1, "nan"), "--rate takes a number from 0 on, not 'nan'");
  EXPECT_EQ(complaint(2, "-inf"), "");
  EXPECT_EQ(complaint(3, "yes"), "--fast takes true or false, not 'yes'");
  EXPECT_EQ(complaint(4, "blue"), "--colour takes one of red, green, not 'blue'");
  EXPECT_EQ(complaint(4, "gren"), "--colour takes one of red, green, not 'gren'; did you mean 'green'?");
}

}  // namespace
}  // namespace actforge
