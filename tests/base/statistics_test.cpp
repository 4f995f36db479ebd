#include "actforge/base/statistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include "actforge/base/error.h"
#include "actforge/base/number_text.h"
#include "actforge/base/random.h"
#include "tests/base/statistics_cases.h"

namespace actforge {
namespace {

using Sample = std::vector<double>;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Nine digits of `expected`, or of `scale` where that is larger.
void expect_near(double actual, double expected, double scale = 0) {
  EXPECT_NEAR(actual, expected, 1e-9 * std::max(std::abs(expected), scale));
}

Sample normal_sample(Random& random, std::size_t count, double mean = 0, double deviation = 1) {
  Sample sample(count);
  for (double& value : sample) value = mean + deviation * random.normal();
  return sample;
}

Sample times_power_of_two(Sample sample, int exponent) {
  for (double& value : sample) value = std::ldexp(value, exponent);
  return sample;
}

TEST(Statistics, AgreesWithScipy) {
  EXPECT_GE(statistics_cases().size(), 40u);
  for (const StatisticsCase& given : statistics_cases()) {
    SCOPED_TRACE(given.name);
    const SampleSummary summary = summarise_sample(given.a, given.level);
    EXPECT_EQ(summary.count, given.a.size());
    expect_near(summary.mean, given.mean, given.deviation);
    expect_near(summary.deviation, given.deviation);
    expect_near(summary.median, given.median);
    expect_near(summary.low, given.low, given.high - given.low);
    expect_near(summary.high, given.high, given.high - given.low);

    const TestResult welch = welch_greater(given.a, given.b);
    EXPECT_EQ(welch.how, "welch");
    expect_near(welch.statistic, given.t, 1e-3);
    expect_near(welch.degrees, given.degrees);
    expect_near(welch.p, given.welch_p);
    const Interval difference = difference_interval(given.a, given.b, given.level);
    expect_near(difference.low, given.difference_low, given.difference_high - given.difference_low);
    expect_near(difference.high, given.difference_high, given.difference_high - given.difference_low);

    const TestResult mann_whitney = mann_whitney_greater(given.a, given.b);
    EXPECT_EQ(mann_whitney.how, given.how);
    EXPECT_EQ(mann_whitney.statistic, given.wins);
    expect_near(mann_whitney.p, given.mann_whitney_p);
    EXPECT_TRUE(std::isnan(mann_whitney.degrees));
  }
}

// What the stored cases are meant to cover, so that making them anew cannot lose it.
TEST(Statistics, StoredCasesReachFar) {
  std::size_t smallest = 99, largest = 0, exact = 0, normal = 0;
  double lowest_welch = 1, highest_welch = 0, lowest_exact = 1, highest_exact = 0;
  for (const StatisticsCase& given : statistics_cases()) {
    const bool is_exact = std::string(given.how) == "exact";
    smallest = std::min({smallest, given.a.size(), given.b.size()});
    largest = std::max({largest, given.a.size(), given.b.size()});
    ++(is_exact ? exact : normal);
    lowest_welch = std::min(lowest_welch, given.welch_p);
    highest_welch = std::max(highest_welch, given.welch_p);
    if (is_exact) lowest_exact = std::min(lowest_exact, given.mann_whitney_p);
    if (is_exact) highest_exact = std::max(highest_exact, given.mann_whitney_p);
  }
  EXPECT_EQ(smallest, 2u);
  EXPECT_EQ(largest, 50u);
  EXPECT_GE(exact, 15u);
  EXPECT_GE(normal, 15u);
  EXPECT_LT(lowest_welch, 1e-30);
  EXPECT_GT(highest_welch, 1 - 1e-6);
  EXPECT_LT(lowest_exact, 1e-8);
  EXPECT_EQ(highest_exact, 1);
}

TEST(Statistics, SummaryOfFewValues) {
  const SampleSummary none = summarise_sample({});
  EXPECT_EQ(none.count, 0u);
  for (const double value : {none.mean, none.deviation, none.median, none.low, none.high}) {
    EXPECT_TRUE(std::isnan(value));
  }
  const SampleSummary one = summarise_sample(Sample{0.1});
  EXPECT_EQ(one.count, 1u);
  EXPECT_EQ(one.mean, 0.1);
  EXPECT_EQ(one.median, 0.1);
  for (const double value : {one.deviation, one.low, one.high}) EXPECT_TRUE(std::isnan(value));
}

// 0.1 + 0.1 + 0.1 over 3 is not 0.1; a sample that does not vary must not seem to.
TEST(Statistics, SampleThatDoesNotVary) {
  for (std::size_t count = 2; count <= 50; ++count) {
    const SampleSummary summary = summarise_sample(Sample(count, 0.1));
    EXPECT_EQ(summary.mean, 0.1);
    EXPECT_EQ(summary.median, 0.1);
    EXPECT_EQ(summary.deviation, 0);
    EXPECT_EQ(summary.low, 0.1);
    EXPECT_EQ(summary.high, 0.1);
  }
}

TEST(Statistics, MedianOfEvenAndOddCounts) {
  EXPECT_EQ(summarise_sample(Sample{3, 1, 2}).median, 2);
  EXPECT_EQ(summarise_sample(Sample{4, 1, 3, 2}).median, 2.5);
  EXPECT_EQ(summarise_sample(Sample{0x1.8p1023, 0x1p1023}).median, 0x1.4p1023);
}

TEST(Statistics, WelchWithoutSpread) {
  const Sample low(3, 0.1), high(4, 0.2);
  const TestResult greater = welch_greater(high, low), less = welch_greater(low, high);
  const TestResult equal = welch_greater(low, Sample(5, 0.1));
  EXPECT_EQ(greater.statistic, kInfinity);
  EXPECT_EQ(greater.p, 0);
  EXPECT_EQ(less.statistic, -kInfinity);
  EXPECT_EQ(less.p, 1);
  EXPECT_EQ(equal.statistic, 0);
  EXPECT_EQ(equal.p, 0.5);
  for (const TestResult& result : {greater, less, equal}) {
    EXPECT_EQ(result.how, "no spread");
    EXPECT_TRUE(std::isnan(result.degrees));
  }
  const Interval difference = difference_interval(high, low);
  EXPECT_EQ(difference.low, 0.1);
  EXPECT_EQ(difference.high, 0.1);
}

TEST(Statistics, TooFewValuesHaveNoP) {
  const Sample none, one{1}, two{1, 2};
  EXPECT_EQ(welch_greater(one, two).how, "1 and 2 values; the test needs two each");
  EXPECT_EQ(mann_whitney_greater(two, none).how, "2 and 0 values; the test needs one each");
  for (const auto& [a, b] : {std::pair(none, none), {none, two}, {one, two}, {two, one}, {two, none}, {one, one}}) {
    EXPECT_TRUE(std::isnan(welch_greater(a, b).p));
    EXPECT_TRUE(std::isnan(welch_greater(a, b).statistic));
    EXPECT_TRUE(std::isnan(difference_interval(a, b).low));
    EXPECT_TRUE(std::isnan(difference_interval(a, b).high));
    EXPECT_EQ(std::isnan(mann_whitney_greater(a, b).p), a.empty() || b.empty());
  }
}

// With one degree of freedom, Student's t is Cauchy's distribution.
TEST(Statistics, WelchWithOneDegreeIsCauchy) {
  for (const double distance : {-1e100, -1e8, -3.0, -0.1, 0.0, 0.5, 7.0, 1e4, 1e100}) {
    const TestResult result = welch_greater(Sample{distance, distance}, Sample{-1, 1});
    expect_near(result.degrees, 1);
    expect_near(result.statistic, distance);
    expect_near(result.p, std::atan2(1, distance) / std::numbers::pi);
  }
}

TEST(Statistics, WelchSidesAddUpToOne) {
  Random random(1);
  for (int round = 0; round < 500; ++round) {
    const Sample a = normal_sample(random, 2 + random.below(20), random.normal(), std::exp(3 * random.normal()));
    const Sample b = normal_sample(random, 2 + random.below(20));
    const TestResult greater = welch_greater(a, b), less = welch_greater(b, a);
    EXPECT_NEAR(greater.p + less.p, 1, 1e-14);
    EXPECT_EQ(greater.statistic, -less.statistic);
    expect_near(greater.degrees, less.degrees);
    EXPECT_EQ(greater.statistic > 0, greater.p < 0.5);
    const double fewest = static_cast<double>(std::min(a.size(), b.size()));
    EXPECT_GE(greater.degrees, (fewest - 1) * (1 - 1e-14));
    EXPECT_LE(greater.degrees, static_cast<double>(a.size() + b.size() - 2) * (1 + 1e-14));
  }
}

// The interval at level 1 - 2 p ends at 0 exactly where the one-tailed test says p.
TEST(Statistics, IntervalAndTestSayTheSame) {
  Random random(2);
  for (int round = 0; round < 200; ++round) {
    const Sample a = normal_sample(random, 2 + random.below(10), 1), b = normal_sample(random, 2 + random.below(10));
    const TestResult result = welch_greater(a, b);
    if (result.p > 0.4) continue;
    const Interval interval = difference_interval(a, b, 1 - 2 * result.p);
    EXPECT_NEAR(interval.low, 0, 1e-9 * interval.high);
    EXPECT_GT(difference_interval(a, b, 1 - 2.2 * result.p).low, 0);
  }
}

TEST(Statistics, ScaleDoesNotMatter) {
  Random random(3);
  const Sample a = normal_sample(random, 9, 0.5), b = normal_sample(random, 10);
  const SampleSummary summary = summarise_sample(a);
  const TestResult welch = welch_greater(a, b), mann_whitney = mann_whitney_greater(a, b);
  const Interval interval = difference_interval(a, b);
  for (const int exponent : {-960, -600, -1, 1, 600, 1018}) {
    SCOPED_TRACE(exponent);
    const Sample scaled_a = times_power_of_two(a, exponent), scaled_b = times_power_of_two(b, exponent);
    const SampleSummary scaled = summarise_sample(scaled_a);
    EXPECT_EQ(scaled.mean, std::ldexp(summary.mean, exponent));
    EXPECT_EQ(scaled.deviation, std::ldexp(summary.deviation, exponent));
    EXPECT_EQ(scaled.low, std::ldexp(summary.low, exponent));
    EXPECT_EQ(scaled.high, std::ldexp(summary.high, exponent));
    EXPECT_EQ(welch_greater(scaled_a, scaled_b).p, welch.p);
    EXPECT_EQ(mann_whitney_greater(scaled_a, scaled_b).p, mann_whitney.p);
    EXPECT_EQ(difference_interval(scaled_a, scaled_b).low, std::ldexp(interval.low, exponent));
    EXPECT_EQ(difference_interval(scaled_a, scaled_b).high, std::ldexp(interval.high, exponent));
  }
}

// Squares of the smaller sample's variance would vanish.
TEST(Statistics, SamplesOfVeryDifferentSize) {
  const TestResult result = welch_greater(Sample{1, 1}, Sample{1e-100, 2e-100});
  expect_near(result.degrees, 1);
  expect_near(result.statistic, 2e100);
  expect_near(result.p, 1 / (2e100 * std::numbers::pi));
  EXPECT_EQ(welch_greater(Sample{1e300, 1e300}, Sample{1e-300, 2e-300}).p, 0);
}

// The wins of a subset of pooled values against the rest, by definition.
double wins_of(unsigned subset, const Sample& pool) {
  double wins = 0;
  for (std::size_t i = 0; i < pool.size(); ++i) {
    for (std::size_t j = 0; j < pool.size(); ++j) {
      const bool is_pair = (subset >> i & 1) == 1 && (subset >> j & 1) == 0;
      if (is_pair) wins += pool[i] > pool[j] ? 1 : pool[i] == pool[j] ? 0.5 : 0;
    }
  }
  return wins;
}

// Calls `check` with every way to split the pool into `size_a` values and the rest, and the wins of all the ways.
using Check = std::function<void(const Sample& a, const Sample& b, double wins, const Sample& all_wins)>;

void for_every_split(const Sample& pool, int size_a, const Check& check) {
  std::vector<unsigned> subsets;
  Sample all_wins;
  for (unsigned subset = 0; subset < 1u << pool.size(); ++subset) {
    if (std::popcount(subset) != size_a) continue;
    subsets.push_back(subset);
    all_wins.push_back(wins_of(subset, pool));
  }
  for (std::size_t way = 0; way < subsets.size(); ++way) {
    Sample a, b;
    for (std::size_t i = 0; i < pool.size(); ++i) (subsets[way] >> i & 1 ? a : b).push_back(pool[i]);
    check(a, b, all_wins[way], all_wins);
  }
}

TEST(Statistics, ExactMannWhitneyIsTheShareOfSplits) {
  for (int m = 1; m <= 6; ++m) {
    for (int n = 1; n <= 6; ++n) {
      SCOPED_TRACE(std::to_string(m) + " " + std::to_string(n));
      Sample pool;
      for (int i = 0; i < m + n; ++i) pool.push_back((i * i - 5.5) * 0.1);
      for_every_split(pool, m, [](const Sample& a, const Sample& b, double wins, const Sample& all_wins) {
        const TestResult result = mann_whitney_greater(a, b);
        const auto at_least = std::ranges::count_if(all_wins, [&](double other) { return other >= wins; });
        ASSERT_EQ(result.how, "exact");
        ASSERT_EQ(result.statistic, wins);
        ASSERT_NEAR(result.p, static_cast<double>(at_least) / static_cast<double>(all_wins.size()), 1e-15);
      });
    }
  }
}

// With ties, p is normal with the mean and variance that the wins of all splits have.
TEST(Statistics, NormalMannWhitneyHasTheVarianceOfSplits) {
  for (const Sample& pool : {Sample{1, 1, 2, 3}, Sample{1, 1, 1, 2, 2, 3, 4, 5, 5}, Sample{0, 0, 0, 0, 0, 7}}) {
    const int size = static_cast<int>(pool.size());
    for (int size_a = 1; size_a < size; ++size_a) {
      for_every_split(pool, size_a, [](const Sample& a, const Sample& b, double wins, const Sample& all_wins) {
        const auto count = static_cast<double>(all_wins.size());
        const SampleSummary null = summarise_sample(all_wins);
        const double deviation = null.deviation * std::sqrt((count - 1) / count);
        const double z = (wins - null.mean - 0.5) / deviation;
        const TestResult result = mann_whitney_greater(a, b);
        ASSERT_EQ(result.how, "normal");
        ASSERT_EQ(result.statistic, wins);
        ASSERT_NEAR(result.p, 0.5 * std::erfc(z / std::numbers::sqrt2), 1e-12);
      });
    }
  }
}

TEST(Statistics, MannWhitneyOfEqualValuesIsCertain) {
  for (const auto& [m, n] : {std::pair(1, 1), {2, 3}, {8, 8}, {20, 30}}) {
    const TestResult result = mann_whitney_greater(Sample(m, 0.1), Sample(n, 0.1));
    EXPECT_EQ(result.how, "normal");
    EXPECT_EQ(result.statistic, m * n / 2.0);
    EXPECT_EQ(result.p, 1);
  }
}

// Many more orders than 2^64: every tail still has its digits, and both tails meet.
TEST(Statistics, ExactMannWhitneyOfUnequalSizes) {
  Sample few, many;
  for (int i = 0; i < 8; ++i) few.push_back(1e6 + i);
  for (int i = 0; i < 1500; ++i) many.push_back(i);
  double orders = 1;
  for (int i = 1; i <= 8; ++i) orders *= (1500.0 + i) / i;
  EXPECT_NEAR(mann_whitney_greater(few, many).p * orders, 1, 1e-12);
  EXPECT_EQ(mann_whitney_greater(many, few).p, 1);
  // Just over and just under the middle of 12000 pairs; one number of wins counts on both sides.
  for (int i = 0; i < 8; ++i) few[i] = 749.5 + (i - 3.5) * 100.1;
  const TestResult over = mann_whitney_greater(few, many), under = mann_whitney_greater(many, few);
  EXPECT_EQ(over.how, "exact");
  EXPECT_EQ(over.statistic + under.statistic, 12000);
  EXPECT_GE(over.p + under.p, 1);
  EXPECT_LE(over.p + under.p, 1.001);
}

// Holm's procedure is the closed test of Bonferroni's: a hypothesis is rejected when every set of hypotheses that holds
// it is, and Bonferroni's p of a set is its size times its smallest p.
Sample holm_by_closure(const Sample& p) {
  Sample adjusted(p.size(), 0);
  for (unsigned set = 1; set < 1u << p.size(); ++set) {
    double smallest = 1;
    for (std::size_t i = 0; i < p.size(); ++i) {
      if (set >> i & 1) smallest = std::min(smallest, p[i]);
    }
    const double of_set = std::min(1.0, std::popcount(set) * smallest);
    for (std::size_t i = 0; i < p.size(); ++i) {
      if (set >> i & 1) adjusted[i] = std::max(adjusted[i], of_set);
    }
  }
  return adjusted;
}

TEST(Statistics, HolmIsTheClosureOfBonferroni) {
  Random random(4);
  for (int round = 0; round < 300; ++round) {
    Sample p(random.below(9));
    for (double& value : p) value = std::pow(random.uniform(), 4);
    if (p.size() > 2) p[1] = p[0];
    EXPECT_EQ(holm(p), holm_by_closure(p));
  }
}

TEST(Statistics, HolmByHand) {
  EXPECT_EQ(holm({}), Sample{});
  EXPECT_EQ(holm(Sample{0.25}), Sample{0.25});
  EXPECT_EQ(holm(Sample{0.5, 0.125, 0.25}), (Sample{0.5, 0.375, 0.5}));
  EXPECT_EQ(holm(Sample{0.5, 0.0, 1.0, 0.75}), (Sample{1, 0, 1, 1}));
}

TEST(Statistics, HolmLeavesOutTestsNotMade) {
  const Sample adjusted = holm(Sample{kNaN, 0.25, kNaN, 0.125});
  ASSERT_EQ(adjusted.size(), 4u);
  EXPECT_TRUE(std::isnan(adjusted[0]));
  EXPECT_EQ(adjusted[1], 0.25);
  EXPECT_TRUE(std::isnan(adjusted[2]));
  EXPECT_EQ(adjusted[3], 0.25);
  EXPECT_TRUE(std::isnan(holm(Sample{kNaN})[0]));
}

void expect_refusal(const std::function<void()>& call, const std::string& message) {
  try {
    call();
    ADD_FAILURE() << "not refused: " << message;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kBadInput);
    EXPECT_EQ(error.what(), message);
  }
}

TEST(Statistics, RefusesWhatIsNoNumber) {
  const Sample good{1, 2, 3};
  for (const double value : {kNaN, kInfinity, -kInfinity}) {
    const Sample bad{1, value, 3};
    const std::string tail = ": " + number_text(value) + " is not a finite number";
    expect_refusal([&] { summarise_sample(bad); }, "summarise_sample" + tail);
    expect_refusal([&] { welch_greater(bad, good); }, "welch_greater" + tail);
    expect_refusal([&] { welch_greater(good, bad); }, "welch_greater" + tail);
    expect_refusal([&] { mann_whitney_greater(bad, good); }, "mann_whitney_greater" + tail);
    expect_refusal([&] { mann_whitney_greater(good, bad); }, "mann_whitney_greater" + tail);
    expect_refusal([&] { difference_interval(bad, good); }, "difference_interval" + tail);
    expect_refusal([&] { difference_interval(good, bad); }, "difference_interval" + tail);
  }
  for (const double value : {-0.5, 1.5, kInfinity}) {
    expect_refusal([&] { holm(Sample{0.5, value}); }, "holm: " + number_text(value) + " is not a probability");
  }
  for (const double level : {0.0, 1.0, 95.0, kNaN}) {
    const std::string tail = ": the level " + number_text(level) + " is not between 0 and 1";
    expect_refusal([&] { summarise_sample(good, level); }, "summarise_sample" + tail);
    expect_refusal([&] { difference_interval(good, good, level); }, "difference_interval" + tail);
  }
}

}  // namespace
}  // namespace actforge
