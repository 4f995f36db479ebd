#include "actforge/search/strategies/race.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "actforge/base/random.h"
#include "actforge/search/strategies/score_estimate.h"
#include "tests/search/repeated_log.h"

namespace actforge {
namespace {

constexpr RaceOptions kHalf = {.share = 0.5};

TEST(Race, WithoutAShareThereIsNone) {
  RepeatedLog study;
  for (const double score : {0.5, 0.6, 0.7, 0.8}) study.add(score);
  EXPECT_FALSE(choose_repeat(study.log(), {}));
}

TEST(Race, OneFunctionHasNobodyToRaceWith) {
  RepeatedLog study;
  study.add(0.5);
  EXPECT_FALSE(choose_repeat(study.log(), {.share = 0.9}));
  study.add(std::nullopt);
  EXPECT_FALSE(choose_repeat(study.log(), {.share = 0.9}));
}

TEST(Race, KeepsToItsShare) {
  RepeatedLog study;
  Random random(3);
  int repeats = 0;
  for (int i = 0; i < 300; ++i) {
    const auto chosen = choose_repeat(study.log(), {.share = 0.33, .most = 1000});
    repeats += chosen ? 1 : 0;
    chosen ? study.repeat(*chosen, random.uniform()) : study.add(random.uniform());
    EXPECT_LE(repeats, 0.33 * (i + 1) + 1e-9);
  }
  EXPECT_GE(repeats, 95);
}

// Of 100 evaluations with a share of a quarter: 10 among the first 85, then 15.
TEST(Race, MakesMostRepeatsAtTheEnd) {
  RepeatedLog study;
  Random random(4);
  int before = 0, after = 0;
  for (int i = 0; i < 100; ++i) {
    const auto chosen = choose_repeat(study.log(), {.share = 0.25, .most = 1000, .budget = 100});
    if (chosen) ++(i < 85 ? before : after);
    chosen ? study.repeat(*chosen, random.uniform()) : study.add(random.uniform());
  }
  EXPECT_EQ(before, 8);
  EXPECT_EQ(after, 15);
}

TEST(Race, RepeatsTheLeaderThenItsChallenger) {
  RepeatedLog study;
  const auto third = study.add(0.5), leader = study.add(0.9), second = study.add(0.8);
  EXPECT_EQ(choose_repeat(study.log(), kHalf), leader);
  study.repeat(leader, 0.9);
  EXPECT_EQ(choose_repeat(study.log(), kHalf), second);
  study.repeat(second, 0.95);
  (void)third;
}

TEST(Race, AFunctionThatFailsInARepeatFalls) {
  RepeatedLog study;
  study.add(0.1);
  const auto steady = study.add(0.7), steep = study.add(0.9);
  study.repeat(steep, std::nullopt);
  EXPECT_EQ(choose_repeat(study.log(), kHalf), steady);
}

TEST(Race, WorkersDoNotAllRepeatTheSame) {
  RepeatedLog study;
  for (const double score : {0.1, 0.2, 0.3, 0.4, 0.5}) study.add(score);
  const auto leader = study.add(0.9), second = study.add(0.85);
  EXPECT_EQ(choose_repeat(study.log(), kHalf), leader);
  study.start_repeat(leader);
  EXPECT_EQ(choose_repeat(study.log(), kHalf), second);
}

TEST(Race, EndsWhereThereIsNoNoise) {
  RepeatedLog study;
  for (const double score : {0.1, 0.2, 0.3, 0.4, 0.5}) study.add(score);
  const auto a = study.add(0.9), b = study.add(0.8);
  study.repeat(a, 0.9);
  study.repeat(b, 0.8);
  EXPECT_TRUE(choose_repeat(study.log(), {.share = 0.9}));
  study.repeat(a, 0.9);
  EXPECT_FALSE(choose_repeat(study.log(), {.share = 0.9}));
}

// Scores that are counted on few images repeat by chance, and functions that may fail have scores that do not differ.
TEST(Race, GoesOnWhereOnlySomeRepeatsAreEqual) {
  RepeatedLog study;
  for (int i = 0; i < 20; ++i) study.add(0.01 * i);
  for (const int i : {19, 18, 17}) study.repeat(i, 0.01 * i);
  EXPECT_FALSE(choose_repeat(study.log(), {.share = 0.5}));
  RepeatedLog failing = study;
  failing.repeat(16, std::nullopt);
  EXPECT_TRUE(choose_repeat(failing.log(), {.share = 0.5}));
  study.repeat(16, 0.17);
  EXPECT_TRUE(choose_repeat(study.log(), {.share = 0.5}));
  EXPECT_GT(ScoreEstimates(study.log(), 1).noise(), 0);
}

TEST(Race, EndsWhereAllWereEvaluatedOftenEnough) {
  RepeatedLog study;
  const auto a = study.add(0.9), b = study.add(0.8);
  study.repeat(a, 0.91);
  study.repeat(b, 0.81);
  EXPECT_FALSE(choose_repeat(study.log(), {.share = 0.9, .most = 2}));
  EXPECT_TRUE(choose_repeat(study.log(), {.share = 0.9, .most = 3}));
}

// Forty functions, true scores from 0 to 1, noise of a fifth: how good in truth is the one that ranks first after as
// many evaluations, with and without repeats?
double true_score_of_winner(std::uint64_t seed, const RaceOptions& options) {
  RepeatedLog study;
  Random random(seed);
  std::vector<double> truth;
  std::map<std::int64_t, double> of_trial;
  for (int i = 0; i < 60; ++i) {
    const auto chosen = choose_repeat(study.log(), options);
    if (chosen) {
      study.repeat(*chosen, of_trial[*chosen] + 0.2 * random.normal());
    } else {
      const double score = random.uniform();
      of_trial[study.add(score + 0.2 * random.normal())] = score;
    }
  }
  const ScoreEstimates estimates(study.log(), 1);
  const auto& finished = study.log().finished();
  return of_trial[*std::max_element(finished.begin(), finished.end(), [&](std::int64_t a, std::int64_t b) {
    return estimates.rank(a) < estimates.rank(b);
  })];
}

TEST(Race, FindsBetterFunctionsThanSingleScores) {
  double with = 0, without = 0;
  constexpr int kStudies = 400;
  for (int seed = 0; seed < kStudies; ++seed) {
    with += true_score_of_winner(static_cast<std::uint64_t>(seed), {.share = 0.33}) / kStudies;
    without += true_score_of_winner(static_cast<std::uint64_t>(seed), {}) / kStudies;
  }
  EXPECT_GT(with, without + 0.02) << with << " with repeats, " << without << " without";
}

}  // namespace
}  // namespace actforge
