#include "actforge/base/duration.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "actforge/base/error.h"
#include "actforge/base/random.h"

namespace actforge {
namespace {

TEST(Duration, ReadsNumbersWithUnits) {
  EXPECT_EQ(read_duration("90"), 90);
  EXPECT_EQ(read_duration("90s"), 90);
  EXPECT_EQ(read_duration("15m"), 900);
  EXPECT_EQ(read_duration("1h30m"), 5400);
  EXPECT_EQ(read_duration("2d"), 172800);
  EXPECT_EQ(read_duration("1d2h3m4s"), 86400 + 7200 + 180 + 4);
  EXPECT_EQ(read_duration("0"), 0);
  EXPECT_EQ(read_duration("0s"), 0);
  EXPECT_EQ(read_duration("1.5h"), 5400);
  EXPECT_EQ(read_duration(".5m"), 30);
  EXPECT_EQ(read_duration("1000000000"), 1e9);
}

TEST(Duration, RefusesEverythingElse) {
  for (const char* text : {"",     " ",   "s",    "h30m",       "-5",     "-0",    "-1h",   "1h-30m", "1x",   "1hh",
                           "1 h",  " 1h", "1h ",  "1h 30m",     "inf",    "nan",   "infs",  "1e3",    "0x10", "+5",
                           "1,5h", "1H",  "1min", "1000000001", "99999d", "1e400", "1.2.3", "1.h.m"}) {
    try {
      read_duration(text);
      ADD_FAILURE() << "'" << text << "' was taken";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kUsage) << text;
      EXPECT_EQ(error.what(), "'" + std::string(text) + "' is not a time; write 90s, 15m, 1h30m or 2d");
    }
  }
  EXPECT_THROW(read_duration(std::string("1h\0", 3)), Error);
}

// Half past one, or an hour and thirty seconds? Nobody can tell.
TEST(Duration, AfterAUnitANumberNeedsItsOwn) {
  EXPECT_THROW(read_duration("1h30"), Error);
  EXPECT_THROW(read_duration("2d1"), Error);
}

TEST(Duration, TextIsForPeople) {
  EXPECT_EQ(duration_text(0), "0 s");
  EXPECT_EQ(duration_text(0.4), "0 s");
  EXPECT_EQ(duration_text(45), "45 s");
  EXPECT_EQ(duration_text(59.6), "1 min");
  EXPECT_EQ(duration_text(200), "3 min 20 s");
  EXPECT_EQ(duration_text(3599.7), "1 h");
  EXPECT_EQ(duration_text(3601), "1 h");
  EXPECT_EQ(duration_text(5400), "1 h 30 min");
  EXPECT_EQ(duration_text(5459), "1 h 30 min");
  EXPECT_EQ(duration_text(2 * 86400 + 4 * 3600 + 59), "2 d 4 h");
  EXPECT_EQ(duration_text(2 * 86400 + 59 * 60), "2 d");
  EXPECT_EQ(duration_text(1e9), "11574 d 1 h");
}

TEST(Duration, WhatIsNoTimeHasNoText) {
  EXPECT_EQ(duration_text(-1), "?");
  EXPECT_EQ(duration_text(std::nan("")), "?");
  EXPECT_EQ(duration_text(std::numeric_limits<double>::infinity()), "?");
  EXPECT_EQ(duration_text(1e300), "?");
}

// The text without its blanks, and with m for min, is what read_duration() takes; it leaves out what is below the
// second unit.
TEST(Duration, TextsReadBack) {
  Random random(1);
  for (int i = 0; i < 20000; ++i) {
    const auto seconds = static_cast<double>(random.below(random.below(4) == 0 ? 1'000'000'000 : 100'000));
    std::string text;
    for (const char c : duration_text(seconds)) {
      if (c != ' ' && c != 'i' && c != 'n') text += c;
    }
    const double read = read_duration(text);
    const double lost = seconds >= 86400 ? 3600 : seconds >= 3600 ? 60 : 1;
    EXPECT_LE(read, seconds) << text;
    EXPECT_LT(seconds - read, lost) << text;
  }
}

}  // namespace
}  // namespace actforge
