#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "actforge/search/strategies/ranking.h"
#include "tests/search/problems.h"
#include "tests/search/simulate_study.h"
#include "tests/space/frequency.h"

namespace actforge {
namespace {

constexpr const char* kTarget = "add(relu(mul(tanh(x),abs(x))),sin(max(erf(x),abs(x))))";

Simulation small(const Space& space) {
  return {.space = &space,
          .evaluate = Nearness(kTarget),
          .options = {{"cafe-population", "12"}, {"generations", "5"}, {"elites", "3"}, {"newcomers", "2"}},
          .workers = 3};
}

std::vector<const Trial*> generation(const SimulatedStudy& study, std::int64_t number) {
  std::vector<const Trial*> list;
  for (const Trial& trial : study.log().trials()) {
    if (trial.plan.generation == number) list.push_back(&trial);
  }
  return list;
}

std::int64_t count_origin(const std::vector<const Trial*>& trials, std::string_view origin) {
  return std::ranges::count_if(trials, [&](const Trial* trial) { return trial->plan.origin == origin; });
}

// A seed without two equal functions in the run, so that the populations can be told from the trials.
TEST(Cafe, GenerationsAreElitesChildrenAndNewcomers) {
  const Space space = tame_trees();
  const SimulatedStudy study = run_study("cafe", small(space));
  EXPECT_TRUE(study.ended());
  ASSERT_EQ(study.size(), 12 + 4 * 9) << "equal functions: choose another seed";
  EXPECT_GE(study.waits(), 4);
  std::set<std::int64_t> population;
  for (std::int64_t g = 0; g < 5; ++g) {
    const auto trials = generation(study, g);
    ASSERT_EQ(trials.size(), g == 0 ? 12u : 9u);
    EXPECT_EQ(count_origin(trials, "initial"), g == 0 ? 12 : 0);
    EXPECT_EQ(count_origin(trials, "cross"), g == 0 ? 0 : 7);
    EXPECT_EQ(count_origin(trials, "newcomer"), g == 0 ? 0 : 2);
    for (const Trial* trial : trials) {
      EXPECT_EQ(trial->plan.parents.size(), trial->plan.origin == "cross" ? 2u : 0u);
      for (const std::int64_t parent : trial->plan.parents) EXPECT_TRUE(population.contains(parent)) << parent;
    }
    // The best three stay, without a trial of their own.
    std::vector<std::int64_t> best(population.begin(), population.end());
    std::ranges::sort(best, std::ranges::greater(),
                      [&](std::int64_t number) { return study.log().trial(number).outcome.scores[0]; });
    population.clear();
    for (std::size_t i = 0; i < best.size() && i < 3; ++i) population.insert(best[i]);
    for (const Trial* trial : trials) population.insert(trial->number);
    EXPECT_EQ(population.size(), 12u);
  }
}

// Elites of the first generation are still there when a later one breeds.
// All children of the only function are refused.
TEST(Cafe, GoesOnWhereTheSpaceRefusesAllChildren) {
  const Space space({.name = "one is no constant",
                     .unary = {Op::kRelu, Op::kZero, Op::kOne},
                     .schemas = {"unary(x)"},
                     .require = read_requirements("not-constant")});
  Simulation simulation = {.space = &space, .evaluate = Nearness("relu(x)")};
  simulation.options = {{"cafe-population", "4"}, {"generations", "3"}, {"elites", "0"}, {"newcomers", "0"}};
  const SimulatedStudy study = run_study("cafe", simulation);
  EXPECT_TRUE(study.ended());
  EXPECT_EQ(study.size(), 1);
}

TEST(Cafe, ElitesHaveChildrenGenerationsLater) {
  const Space space = tame_trees();
  Simulation simulation = small(space);
  // The earlier the better: elites are always the first trials.
  simulation.evaluate = [](const Trial& trial) { return TrialOutcome{.scores = {-static_cast<double>(trial.number)}}; };
  const SimulatedStudy study = run_study("cafe", simulation);
  std::set<std::int64_t> parents;
  for (const Trial* trial : generation(study, 4))
    parents.insert(trial->plan.parents.begin(), trial->plan.parents.end());
  EXPECT_TRUE(parents.contains(0));
  for (const std::int64_t parent : parents) {
    EXPECT_TRUE(parent < 3 || study.log().trial(parent).plan.generation == 3) << parent;
  }
}

TEST(Cafe, NothingButElitesNeedsNoTrials) {
  const Space space = tame_trees();
  Simulation simulation = small(space);
  simulation.options = {{"cafe-population", "6"}, {"generations", "5"}, {"elites", "6"}, {"newcomers", "0"}};
  const SimulatedStudy study = run_study("cafe", simulation);
  EXPECT_TRUE(study.ended());
  EXPECT_EQ(study.size(), 6);
}

// How often each of four functions is a parent in the second generation, over many studies.
std::map<std::string, int> parent_counts(const Space& space, std::size_t objectives, const Evaluation& evaluate) {
  std::map<std::string, int> seen;
  for (std::uint64_t seed = 0; seed < 700; ++seed) {
    SimulatedStudy study(
        "cafe", {.space = &space,
                 .evaluate = evaluate,
                 .options = {{"cafe-population", "4"}, {"generations", "2"}, {"elites", "0"}, {"newcomers", "1"}},
                 .seed = seed,
                 .objectives = objectives});
    while (study.ask()) {
    }
    if (study.size() != 4) continue;  // two of the four were equal
    study.finish_all();
    while (study.ask()) {
    }
    for (const Trial& trial : study.log().trials()) {
      for (const std::int64_t parent : trial.plan.parents) ++seen[std::to_string(parent)];
    }
  }
  return seen;
}

TEST(Cafe, ParentsComeByTheSoftmaxOfTheirScores) {
  const Space space = tame_trees();
  const std::vector<double> losses = {0.1, 1, 2.5, 0.5};
  const auto seen = parent_counts(space, 1, [&](const Trial& trial) {
    return TrialOutcome{.scores = {-losses.at(static_cast<std::size_t>(trial.number % 4))}};
  });
  double sum = 0;
  for (const double loss : losses) sum += std::exp(-loss);
  std::map<std::string, double> wanted;
  for (std::size_t i = 0; i < 4; ++i) wanted[std::to_string(i)] = std::exp(-losses[i]) / sum;
  expect_frequencies(seen, wanted);
}

TEST(Cafe, FailuresAreNeverParents) {
  const Space space = tame_trees();
  const auto seen = parent_counts(space, 1, [](const Trial& trial) {
    if (trial.number == 1) return TrialOutcome{.status = TrialStatus::kFailed};
    if (trial.number == 2) return TrialOutcome{.status = TrialStatus::kStopped, .scores = {0.5}};
    return TrialOutcome{.scores = {0.5}};
  });
  expect_frequencies(seen, {{"0", 0.5}, {"3", 0.5}});
}

TEST(Cafe, FrontsDecideWhereThereAreSeveralObjectives) {
  const Space space = tame_trees();
  const std::vector<Scores> scores = {{3, 0}, {1, 1}, {0, 3}, {2, 2}};  // the second is dominated by the fourth
  const auto seen = parent_counts(space, 2, [&](const Trial& trial) {
    return TrialOutcome{.scores = scores.at(static_cast<std::size_t>(trial.number % 4))};
  });
  const double sum = 3 + std::exp(-1);
  expect_frequencies(seen, {{"0", 1 / sum}, {"1", std::exp(-1) / sum}, {"2", 1 / sum}, {"3", 1 / sum}});
}

TEST(Cafe, WaitsForAGenerationAndEndsWithTheLast) {
  const Space space = tame_trees();
  Simulation simulation = small(space);
  simulation.options["generations"] = "2";
  simulation.workers = 100;
  SimulatedStudy study("cafe", simulation);
  for (int i = 0; i < 12; ++i) ASSERT_TRUE(study.ask());
  EXPECT_EQ(study.strategy().ask(12).kind, Proposal::Kind::kWait);
  for (int i = 0; i < 11; ++i) study.finish(0);
  EXPECT_EQ(study.strategy().ask(12).kind, Proposal::Kind::kWait);
  study.finish(0);
  for (int i = 0; i < 9; ++i) ASSERT_TRUE(study.ask());
  // Nothing will come any more, whatever becomes of those that run.
  EXPECT_EQ(study.strategy().ask(21).kind, Proposal::Kind::kFinished);
}

// In a space this small most functions have been tried: their places take the results there are.
TEST(Cafe, KnownFunctionsCostNothing) {
  const Space space({.name = "small",
                     .unary = tame_unary(),
                     .binary = {Op::kAdd, Op::kMul},
                     .schemas = {"binary(unary(x),unary(x))"}});
  Simulation simulation = small(space);
  simulation.options = {{"cafe-population", "50"}, {"generations", "10"}, {"elites", "5"}, {"newcomers", "10"}};
  const SimulatedStudy study = run_study("cafe", simulation);
  EXPECT_TRUE(study.ended());
  EXPECT_GT(study.size(), 40);
  EXPECT_LT(study.size(), 128);
  // A function found in one generation is a parent in a later one though it was no elite: some place had it again.
  bool again = false;
  for (const Trial& trial : study.log().trials()) {
    for (const std::int64_t parent : trial.plan.parents) {
      again = again || study.log().trial(parent).plan.generation + 1 < trial.plan.generation;
    }
  }
  EXPECT_TRUE(again);
}

// A function that has two places of four is a parent as often as the other two together.
TEST(Cafe, PlacesCountNotTrials) {
  const Space space(
      {.name = "sums", .unary = tame_unary(), .binary = {Op::kAdd}, .schemas = {"binary(unary(x),unary(x))"}});
  const FunctionKeys keys;
  std::map<std::string, int> seen;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    SimulatedStudy study(
        "cafe", {.space = &space,
                 .evaluate = [](const Trial&) { return TrialOutcome{.scores = {0.5}}; },
                 .options = {{"cafe-population", "4"}, {"generations", "2"}, {"elites", "0"}, {"newcomers", "0"}},
                 .seed = seed,
                 .workers = 4});
    study.run();
    std::map<std::int64_t, int> places;
    for (std::uint64_t place = 0; place < 4; ++place) {
      Random random(seed, place, "cafe");
      ++places[*study.log().find(keys(space.sample(random)))];
    }
    if (places.size() != 3) continue;
    for (const Trial& trial : study.log().trials()) {
      for (const std::int64_t parent : trial.plan.parents) ++seen[places.at(parent) == 2 ? "two places" : "one place"];
    }
  }
  expect_frequencies(seen, {{"two places", 0.5}, {"one place", 0.5}});
}

TEST(Cafe, MutatesWhereThereIsNoCrossover) {
  const Space space = tame_graphs(5);
  const SimulatedStudy study = run_study("cafe", small(space));
  EXPECT_TRUE(study.ended());
  int children = 0;
  for (const Trial& trial : study.log().trials()) {
    EXPECT_NE(trial.plan.origin, "cross");
    EXPECT_LE(trial.plan.parents.size(), 1u);
    children += trial.plan.parents.size() == 1;
  }
  EXPECT_GT(children, 15);
}

}  // namespace
}  // namespace actforge
