// The strategy `exhaustive` with several evaluations of each function, as a study runs it.
#include <gtest/gtest.h>

#include <set>

#include "actforge/base/error.h"
#include "actforge/study/study.h"

namespace actforge {
namespace {

StudySettings rounds(const std::string& runs) {
  StudySettings settings;
  settings.space = "unary(x)";
  settings.strategy = "exhaustive";
  settings.options["runs"] = runs;
  settings.evaluator = "distance";
  settings.evaluate["target"] = "tanh(x)";
  complete_settings(settings);
  return settings;
}

// All trials until the strategy ends; of those of `broken`, the evaluator breaks.
std::vector<Trial> all_trials(const StudySettings& settings, const std::set<std::int64_t>& broken = {}) {
  Proposals proposals(settings);
  std::vector<Trial> trials, changes;
  for (std::int64_t number = 0;; ++number) {
    const Proposal proposal = proposals(changes, number);
    if (proposal.kind == Proposal::Kind::kFinished) return trials;
    Trial trial = {.number = number, .plan = proposal.plan, .outcome = {.scores = {0.5}}, .finish_order = number};
    if (broken.contains(number)) trial.outcome = {.status = TrialStatus::kQuarantined};
    changes = {trial};
    trials.push_back(trial);
  }
}

TEST(ExhaustiveRounds, EveryFunctionThenEveryFunctionAgain) {
  const std::vector<Trial> once = all_trials(rounds("1")), thrice = all_trials(rounds("3"));
  ASSERT_EQ(thrice.size(), 3 * once.size());
  const std::size_t n = once.size();
  std::set<std::uint64_t> seeds;
  for (std::size_t i = 0; i < thrice.size(); ++i) {
    EXPECT_EQ(thrice[i].plan.expression, once[i % n].plan.expression);
    EXPECT_EQ(thrice[i].plan.is_repeat(), i >= n);
    if (i >= n) {
      EXPECT_EQ(thrice[i].plan.repeat_of, static_cast<std::int64_t>(i % n));
    }
    // One seed for all functions of a round.
    EXPECT_EQ(thrice[i].plan.seed, thrice[i / n * n].plan.seed);
    seeds.insert(thrice[i].plan.seed);
  }
  EXPECT_EQ(seeds.size(), 3U);
}

TEST(ExhaustiveRounds, WhatBreaksTheEvaluatorIsNotRepeated) {
  const std::size_t n = all_trials(rounds("1")).size();
  const std::vector<Trial> trials = all_trials(rounds("2"), {1});
  EXPECT_EQ(trials.size(), 2 * n - 1);
  for (const Trial& trial : trials) EXPECT_NE(trial.plan.repeat_of, 1);
}

TEST(ExhaustiveRounds, SpectraNeedANetwork) {
  StudySettings settings = rounds("1");
  settings.options["spectra"] = "true";
  EXPECT_THROW(complete_settings(settings), Error);
}

}  // namespace
}  // namespace actforge
