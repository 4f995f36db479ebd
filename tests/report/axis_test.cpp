#include "actforge/report/svg/axis.h"

#include <gtest/gtest.h>

#include <charconv>
#include <cmath>
#include <random>
#include <set>

namespace actforge {
namespace {

std::vector<std::string> labels(const AxisRange& range, int wanted) {
  std::vector<std::string> result;
  for (const Tick& tick : nice_ticks(range, wanted)) result.push_back(tick.label);
  return result;
}

double parsed(const std::string& text) {
  double value = NAN;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? value : NAN;
}

using Labels = std::vector<std::string>;

TEST(Axis, FamiliarTicks) {
  EXPECT_EQ(labels({-5, 5}, 5), (Labels{"-4", "-2", "0", "2", "4"}));
  EXPECT_EQ(labels({-5, 5}, 10), (Labels{"-5", "-4", "-3", "-2", "-1", "0", "1", "2", "3", "4", "5"}));
  EXPECT_EQ(labels({0, 1}, 5), (Labels{"0", "0.2", "0.4", "0.6", "0.8", "1"}));
  EXPECT_EQ(labels({-0.3, 0.3}, 6), (Labels{"-0.3", "-0.2", "-0.1", "0", "0.1", "0.2", "0.3"}));
  EXPECT_EQ(labels({0, 2e6}, 4), (Labels{"0", "5e5", "1e6", "1.5e6", "2e6"}));
  EXPECT_EQ(labels({0, 4e-7}, 2), (Labels{"0", "2e-7", "4e-7"}));
  EXPECT_EQ(labels({20000, 40000}, 2), (Labels{"20000", "30000", "40000"}));
  EXPECT_EQ(labels({0, 3e120}, 3), (Labels{"0", "1e120", "2e120", "3e120"}));
}

// Steps are 1, 2 or 5 times a power of ten; each label says the value of its tick; the number is about what is wanted.
TEST(Axis, TicksOfManyRanges) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int i = 0; i < 20000; ++i) {
    const double length = std::pow(10, 12 * uniform(random));
    const double low = length * 1000 * uniform(random) * uniform(random);
    const AxisRange range{low, low + length};
    const int wanted = 2 + i % 12;
    const std::vector<Tick> ticks = nice_ticks(range, wanted);
    ASSERT_GE(static_cast<double>(ticks.size()), std::floor(wanted / 1.67)) << low << " " << length;
    ASSERT_LE(static_cast<double>(ticks.size()), wanted * 1.5 + 1) << low << " " << length;
    std::set<std::string> seen;
    for (const Tick& tick : ticks) {
      ASSERT_TRUE(range.contains(tick.value));
      ASSERT_NEAR(parsed(tick.label), tick.value, 1e-6 * length) << tick.label;
      ASSERT_TRUE(seen.insert(tick.label).second) << tick.label;
    }
    if (ticks.size() < 2) continue;
    const double step = (ticks.back().value - ticks.front().value) / static_cast<double>(ticks.size() - 1);
    const double digit = step / std::pow(10, std::floor(std::log10(step) + 1e-6));
    ASSERT_TRUE(std::abs(digit - 1) < 1e-6 || std::abs(digit - 2) < 1e-6 || std::abs(digit - 5) < 1e-6) << step;
  }
}

TEST(Axis, CompactNumbers) {
  EXPECT_EQ(fixed_text(1.5, 2), "1.5");
  EXPECT_EQ(fixed_text(-0.001, 2), "0");
  EXPECT_EQ(fixed_text(100, 2), "100");
  EXPECT_EQ(fixed_text(100, 0), "100");
  EXPECT_EQ(fixed_text(2.0 / 3, 2), "0.67");
  EXPECT_EQ(short_text(0, 3), "0");
  EXPECT_EQ(short_text(0.25, 3), "0.25");
  EXPECT_EQ(short_text(1234.6, 3), "1235");
  EXPECT_EQ(short_text(3e8, 3), "3e8");
  EXPECT_EQ(short_text(-1.5e-9, 3), "-1.5e-9");
  EXPECT_EQ(short_text(1e100, 3), "1e100");
  EXPECT_EQ(short_text(-INFINITY, 3), "-inf");
}

}  // namespace
}  // namespace actforge
