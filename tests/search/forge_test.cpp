#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "actforge/search/strategies/function_model.h"
#include "actforge/space/find_space.h"
#include "actforge/surrogate/acquisition.h"
#include "tests/search/problems.h"
#include "tests/search/simulate_study.h"
#include "tests/search/target_search.h"

namespace actforge {
namespace {

Simulation small(const Space& space) {
  return {.space = &space,
          .evaluate = Nearness(kSearchTarget),
          .options = {{"start", "relu(x), tanh(x), swish(x)"}, {"candidates", "120"}},
          .budget = 30};
}

TEST(Forge, BeginsWithKnownFunctionsAndWaitsForNobody) {
  const Space space = pairs();
  SimulatedStudy study("forge", small(space));
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(study.ask());
  EXPECT_EQ(study.log().trial(0).plan.expression, "relu(x)");
  EXPECT_EQ(study.log().trial(2).plan.expression, "swish(x)");
  EXPECT_EQ(study.log().trial(3).plan.origin, "random");
  study.finish_all();
  ASSERT_TRUE(study.ask());
  EXPECT_EQ(study.log().trial(5).plan.origin, "surrogate");
  EXPECT_TRUE(study.log().trial(5).plan.story.back().starts_with("expected "));
}

// The model written out: all measurements at once, with settings found of the first so many, and the largest expected
// improvement over the pool.
TEST(Forge, ProposesWhatPromisesMost) {
  const Space space = pairs();
  Simulation simulation = small(space);
  simulation.options["offspring"] = "0";
  const auto pool = std::make_shared<const ProfiledPool>(
      space, ProfiledPool::Options{.pool = {.first = {parse("relu(x)"), parse("tanh(x)"), parse("swish(x)")},
                                            .run = {.seed = simulation.seed}},
                                   .size = 120});
  int checked = 0;
  simulation.on_ask = [&](const Trial& trial, const TrialLog& log) {
    if (trial.plan.origin != "surrogate") return;
    std::vector<FunctionProfile> tried, all;
    std::vector<double> values;
    for (const std::int64_t number : log.finished()) {
      const TrialPlan& plan = log.trial(number).plan;
      tried.push_back(profile_of(parse(plan.expression)));
      values.push_back(log.trial(number).outcome.scores[0]);
    }
    // A schedule: 1, 3, 5, 7, 9, 11, 13, 16, 20, 25, ...
    std::size_t m = 1;
    while (m + std::max<std::size_t>(2, m / 4) <= values.size()) m += std::max<std::size_t>(2, m / 4);
    const auto cut = [](std::vector<double> scores) {
      const double least = least_score_that_counts(scores);
      for (double& score : scores) score = std::max(score, least);
      return scores;
    };
    const std::vector<FunctionProfile> first(tried.begin(), tried.begin() + static_cast<std::ptrdiff_t>(m));
    const std::vector<double> first_values(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(m));
    BlockProcess process;
    process.fit(
        profile_distances(tried, tried), cut(values), std::vector<double>(values.size(), 1.0),
        BlockProcess::find_settings(profile_distances(first, first), cut(first_values), std::vector<double>(m, 1.0)));
    double best = -INFINITY;
    for (const Belief& belief : process.believe(profile_distances(tried, tried))) best = std::max(best, belief.mean);
    for (std::size_t i = 0; i < pool->size(); ++i) all.push_back(pool->profile(i));
    const std::vector<Belief> beliefs = process.believe(profile_distances(tried, all));
    const auto promise = [&](std::size_t i) {
      return find_acquisition("expected-improvement").value(beliefs[i], best);
    };
    double most = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!log.find(pool->function(i).key)) most = std::max(most, promise(i));
    }
    const auto chosen = pool->find({.canonical = trial.plan.key, .fingerprint = trial.plan.fingerprint});
    ASSERT_TRUE(chosen);
    EXPECT_NEAR(promise(*chosen), most, 1e-6) << "trial " << trial.number;
    ++checked;
  };
  EXPECT_EQ(run_study("forge", simulation).size(), 30);
  EXPECT_GE(checked, 25);
}

TEST(Forge, LeavesItsSample) {
  const Space space = tame_graphs(5);
  Simulation simulation = small(space);
  simulation.budget = 60;
  const SimulatedStudy study = run_study("forge", simulation);
  int children = 0;
  for (const Trial& trial : study.log().trials()) children += trial.plan.parents.empty() ? 0 : 1;
  EXPECT_GT(children, 5);
}

TEST(Forge, FindsATargetSoonerThanChance) {
  const Space space = pairs();
  const std::int64_t by_model = trials_to_target("forge", space), by_chance = trials_to_target("random", space);
  EXPECT_LT(3 * by_model, by_chance);
}

// A function's score depends on a rate: both are searched, and the model learns which rate is good.
TEST(Forge, LearnsHyperparametersToo) {
  const Space space = pairs();
  Simulation simulation = small(space);
  simulation.hyperparameters = HyperparameterSpace::parse("rate=log:1e-3..1");
  const auto decades_off = [](const Trial& trial) {  // 0.1 is best
    return std::fabs(std::log10(std::stod(trial.plan.hyperparameters.at("rate"))) + 1);
  };
  simulation.evaluate = [&](const Trial& trial) {
    return TrialOutcome{.scores = {Nearness(kSearchTarget)(trial).scores[0] - 0.3 * std::pow(decades_off(trial), 2)}};
  };
  simulation.budget = 60;
  const SimulatedStudy study = run_study("forge", simulation);
  std::vector<double> last;
  for (std::int64_t i = 40; i < 60; ++i) last.push_back(decades_off(study.log().trial(i)));
  std::ranges::sort(last);
  EXPECT_LT(last[last.size() / 2], 0.3);  // 0.75 by chance
}

TEST(Forge, TakesFailuresAndSeveralObjectives) {
  const Space space = pairs();
  Simulation simulation = small(space);
  simulation.workers = 3;
  simulation.objectives = 2;
  simulation.evaluate = [first = Nearness("relu(x)"), second = Nearness("tanh(x)")](const Trial& trial) {
    if (trial.number % 6 == 5) return TrialOutcome{.status = TrialStatus::kFailed, .reason = "undefined"};
    return TrialOutcome{.scores = {first(trial).scores[0], second(trial).scores[0]}};
  };
  EXPECT_EQ(run_study("forge", simulation).size(), 30);
}

TEST(FunctionModel, CutsOffWhatIsFarBelow) {
  EXPECT_EQ(least_score_that_counts({}), 0);
  EXPECT_EQ(least_score_that_counts({0.5}), 0.5);
  EXPECT_DOUBLE_EQ(least_score_that_counts({0.1, 0.85, 0.9, 0.8}), 0.9 - 3 * (0.9 - 0.8));
  EXPECT_EQ(least_score_that_counts({0.3, 1, 1, 1}), 0.3);
  EXPECT_EQ(least_score_that_counts({-2, -1, 0}), -2);
}

}  // namespace
}  // namespace actforge
