#include "actforge/search/strategies/score_estimate.h"

#include <gtest/gtest.h>

#include <cmath>

#include "actforge/base/random.h"
#include "actforge/search/strategies/ranking.h"
#include "tests/search/repeated_log.h"

namespace actforge {
namespace {

TEST(ScoreEstimates, WithoutRepeatsAreTheScores) {
  RepeatedLog study;
  study.add(0.5);
  study.add(0.75);
  const ScoreEstimates estimates(study.log(), 1);
  EXPECT_EQ(estimates.of(1).mean, 0.75);
  EXPECT_EQ(estimates.of(1).runs, 1u);
  EXPECT_EQ(estimates.of(1).error, 0);
  EXPECT_EQ(estimates.rank(1), 0.75);
  EXPECT_EQ(estimates.noise(), 0);
}

// Two functions: 0.6 and 0.8, whose variance is 0.02 with one degree of freedom; 0.3, 0.7 and 0.5, 0.04 with two. The
// median of the weights 1 and 2 is the latter, and the median of a χ² with two degrees is 2 (1 - 1/9)³.
TEST(ScoreEstimates, TakeTheMedianOfWhatFunctionsSayOfTheNoise) {
  RepeatedLog study;
  const auto a = study.add(0.6), b = study.add(0.3), c = study.add(0.9);
  study.repeat(a, 0.8);
  study.repeat(b, 0.7);
  study.repeat(b, 0.5);
  const ScoreEstimates estimates(study.log(), 1);
  const double s = std::sqrt(0.04 / std::pow(8.0 / 9, 3));
  EXPECT_NEAR(estimates.noise(), s, 1e-12);
  EXPECT_EQ(estimates.degrees(), 3);
  EXPECT_NEAR(estimates.of(a).mean, 0.7, 1e-15);
  EXPECT_NEAR(estimates.of(b).mean, 0.5, 1e-15);
  EXPECT_EQ(estimates.of(b).runs, 3u);
  EXPECT_NEAR(estimates.of(b).error, s / std::sqrt(3), 1e-12);
  EXPECT_NEAR(estimates.of(c).error, s, 1e-12);  // known from one evaluation alone
  EXPECT_NEAR(estimates.rank(c), 0.9 - s, 1e-12);
}

TEST(ScoreEstimates, FindTheNoiseOfManyFunctions) {
  Random random(5);
  RepeatedLog study;
  for (int i = 0; i < 200; ++i) {
    const double truth = random.uniform();
    const auto number = study.add(truth + 0.02 * random.normal());
    for (int k = 0; k < i % 4; ++k) study.repeat(number, truth + 0.02 * random.normal());
  }
  EXPECT_NEAR(ScoreEstimates(study.log(), 1).noise(), 0.02, 0.002);
}

// A training that breaks down without failing is not the noise of all.
TEST(ScoreEstimates, OneBrokenTrainingIsNoNoise) {
  Random random(6);
  RepeatedLog study;
  for (int i = 0; i < 10; ++i) {
    const auto number = study.add(0.8 + 0.01 * random.normal());
    study.repeat(number, i == 3 ? 0.1 : 0.8 + 0.01 * random.normal());
  }
  EXPECT_LT(ScoreEstimates(study.log(), 1).noise(), 0.02);
}

// What was known when a certain trial ended.
TEST(ScoreEstimates, CanLeaveOutWhatEndedLater) {
  RepeatedLog study;
  const auto a = study.add(0.6);
  const auto last = study.repeat(a, 0.8);
  study.repeat(a, 0.1);
  EXPECT_NEAR(ScoreEstimates(study.log(), 1, last).of(a).mean, 0.7, 1e-15);
  EXPECT_NEAR(ScoreEstimates(study.log(), 1).of(a).mean, 0.5, 1e-15);
}

TEST(ScoreEstimates, AFailedRepeatCountsAsTheWorstScore) {
  RepeatedLog study;
  study.add(0.1);
  const auto good = study.add(0.9);
  study.add(std::nullopt);
  study.repeat(good, std::nullopt);
  const ScoreEstimates estimates(study.log(), 1);
  EXPECT_NEAR(estimates.of(good).mean, 0.5, 1e-15);
  EXPECT_EQ(estimates.of(good).failed, 1u);
  EXPECT_EQ(estimates.noise(), 0);  // of completed evaluations no function has two
}

TEST(ScoreEstimates, RepeatsThatHaveNotEndedDoNotCount) {
  RepeatedLog study;
  const auto a = study.add(0.6);
  study.start_repeat(a);
  EXPECT_EQ(ScoreEstimates(study.log(), 1).of(a).runs, 1u);
  EXPECT_EQ(ScoreEstimates(study.log(), 1).of(a).mean, 0.6);
}

// What all strategies rank by.
TEST(ScoreEstimates, ALuckyScoreRanksBehindASureOne) {
  RepeatedLog study;
  const auto lucky = study.add(0.855), sure = study.add(0.85);
  for (const double score : {0.84, 0.86, 0.85, 0.83, 0.87}) study.repeat(sure, score);
  const Ranking ranking(study.log(), {lucky, sure}, 1);
  EXPECT_TRUE(ranking.better(1, 0));
  EXPECT_EQ(study.log().functions(), 2);
  EXPECT_EQ(study.log().finished().size(), 2u);
  EXPECT_EQ(study.log().repeated(), std::vector<std::int64_t>{sure});
}

}  // namespace
}  // namespace actforge
