#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "actforge/expr/language/print.h"
#include "actforge/space/builtin_spaces.h"
#include "actforge/space/offspring.h"
#include "tests/search/problems.h"
#include "tests/search/simulate_study.h"
#include "tests/space/frequency.h"

namespace actforge {
namespace {

constexpr const char* kTarget = "mul(relu(x),sigmoid(x))";

Simulation small(const Space& space) {
  return {.space = &space,
          .evaluate = Nearness(kTarget),
          .options = {{"population", "8"}, {"sample", "3"}, {"threshold", "0.45"}},
          .workers = 4,
          .budget = 200};
}

double number_of(const StrategyOptions& options, const std::string& name) { return std::stod(options.at(name)); }

// The definition, told from all trials: those that may have children, the last to end first.
std::vector<std::int64_t> population(const TrialLog& log, const StrategyOptions& options) {
  const double threshold = number_of(options, "threshold"), size = number_of(options, "population");
  std::vector<const Trial*> list;
  for (const Trial& trial : log.trials()) {
    const bool good = trial.status() == TrialStatus::kCompleted && trial.outcome.scores[0] >= threshold;
    if (good) list.push_back(&trial);
  }
  std::ranges::sort(list, std::ranges::greater(), &Trial::finish_order);
  std::vector<std::int64_t> numbers;
  for (const Trial* trial : list) {
    if (static_cast<double>(numbers.size()) < size) numbers.push_back(trial->number);
  }
  return numbers;
}

TEST(Pangaea, ParentsAreRecentAndGoodEnough) {
  const Space space = tame_graphs(5);
  Simulation simulation = small(space);
  int full = 0, refused = 0;
  simulation.on_ask = [&](const Trial& trial, const TrialLog& log) {
    if (trial.number < 8) {
      EXPECT_EQ(trial.plan.origin, "initial");
      EXPECT_TRUE(trial.plan.parents.empty());
      return;
    }
    const auto recent = population(log, simulation.options);
    ASSERT_EQ(trial.plan.parents.size(), recent.empty() ? 0u : 1u);
    if (recent.empty()) return;
    EXPECT_TRUE(std::ranges::count(recent, trial.plan.parents[0]) == 1)
        << trial.number << " of " << trial.plan.parents[0];
    full += recent.size() == 8;
  };
  const SimulatedStudy study = run_study("pangaea", simulation);
  EXPECT_EQ(study.size(), 200) << "those that are refused count";
  EXPECT_GT(full, 100);
  for (const Trial& trial : study.log().trials()) {
    refused += trial.status() != TrialStatus::kCompleted ||
               trial.outcome.scores[0] < number_of(simulation.options, "threshold");
  }
  EXPECT_GT(refused, 20) << "too few to say anything of the threshold";
}

TEST(Pangaea, TheBestOfASampleIsTheParent) {
  const Space space(*find_builtin_space("pangaea"));
  Simulation simulation = small(space);
  simulation.evaluate = [](const Trial& trial) {
    return TrialOutcome{.scores = {0.5 + 0.01 * static_cast<double>(trial.number)}};
  };
  simulation.options = {{"population", "4"}, {"sample", "2"}};
  std::map<std::string, int> seen;
  for (simulation.seed = 0; simulation.seed < 3000; ++simulation.seed) {
    SimulatedStudy study("pangaea", simulation);
    for (int i = 0; i < 4; ++i) study.ask();
    study.finish_all();
    study.ask();
    ++seen[std::to_string(study.log().trial(4).plan.parents.at(0))];
  }
  // The best of two draws with replacement is the r-th from below with probability (r² - (r-1)²)/16.
  expect_frequencies(seen, {{"0", 1.0 / 16}, {"1", 3.0 / 16}, {"2", 5.0 / 16}, {"3", 7.0 / 16}});
}

// Function by function, from the same stream of random numbers.
TEST(Pangaea, IsWhatTheTextDescribes) {
  const Space space = tame_graphs(5, 3);
  Simulation simulation = small(space);
  const FunctionKeys keys;
  simulation.on_ask = [&](const Trial& trial, const TrialLog& log) {
    Random random(simulation.seed, static_cast<std::uint64_t>(trial.number), "pangaea");
    const auto recent = trial.number < 8 ? std::vector<std::int64_t>() : population(log, simulation.options);
    for (int draw = 0;; ++draw) {
      ASSERT_LT(draw, 1000) << trial.plan.expression;
      Offspring child;
      if (recent.empty()) {
        child = initial(space, random);
      } else {
        std::vector<std::int64_t> sample;
        for (int i = 0; i < 3; ++i) sample.push_back(recent[random.below(recent.size())]);
        const auto score = [&](std::int64_t number) { return log.trial(number).outcome.scores[0]; };
        child = mutate(space, parse(log.trial(*std::ranges::max_element(sample, {}, score)).plan.expression), random);
      }
      if (log.find(keys(child.expr))) continue;
      ASSERT_EQ(trial.plan.expression, to_call(child.expr));
      ASSERT_EQ(trial.plan.origin, child.kind);
      ASSERT_EQ(trial.plan.story, child.story);
      break;
    }
  };
  EXPECT_EQ(run_study("pangaea", simulation).size(), 200);
}

TEST(Pangaea, WithOneWorkerTheOldestGoes) {
  const Space space = tame_graphs(5);
  Simulation simulation = small(space);
  simulation.workers = 1;
  simulation.evaluate = [](const Trial&) { return TrialOutcome{.scores = {0.9}}; };
  std::int64_t oldest = 0, newest = 0;
  simulation.on_ask = [&](const Trial& trial, const TrialLog&) {
    if (trial.plan.parents.empty()) return;
    const std::int64_t age = trial.number - trial.plan.parents[0];
    EXPECT_LE(age, 8);
    oldest += age == 8;
    newest += age == 1;
  };
  run_study("pangaea", simulation);
  EXPECT_GT(oldest, 5);
  EXPECT_GT(newest, 5);
}

TEST(Pangaea, LossesNeedNoThreshold) {
  const Space space = tame_graphs(5);
  Simulation simulation = small(space);
  simulation.evaluate = [](const Trial& trial) {
    return TrialOutcome{.scores = {-1 - 0.001 * static_cast<double>(trial.number)}};
  };
  const auto with_parents = [&] {
    const SimulatedStudy study = run_study("pangaea", simulation);
    return std::ranges::count_if(study.log().trials(), [](const Trial& trial) { return !trial.plan.parents.empty(); });
  };
  EXPECT_EQ(with_parents(), 0) << "no loss reaches an accuracy of 20%";
  simulation.options["threshold"] = "-inf";
  EXPECT_EQ(with_parents(), 192);
}

TEST(Pangaea, TheBestFrontHasTheChildren) {
  const Space space = tame_graphs(5);
  Simulation simulation = small(space);
  simulation.objectives = 2;
  simulation.options["threshold"] = "0";
  simulation.options["sample"] = "40";  // of eight: all of them, nearly always
  simulation.evaluate = [](const Trial& trial) {
    Random random(static_cast<std::uint64_t>(trial.number));
    const double a = random.uniform(), b = random.uniform();
    return TrialOutcome{.scores = {a, b}};
  };
  int parents = 0, dominated = 0;
  simulation.on_ask = [&](const Trial& trial, const TrialLog& log) {
    if (trial.plan.parents.empty()) return;
    ++parents;
    const auto& mine = log.trial(trial.plan.parents[0]).outcome.scores;
    dominated += std::ranges::any_of(population(log, simulation.options), [&](std::int64_t number) {
      const auto& other = log.trial(number).outcome.scores;
      return other[0] > mine[0] && other[1] > mine[1];
    });
  };
  run_study("pangaea", simulation);
  EXPECT_EQ(parents, 192);
  EXPECT_LE(dominated, 2);
}

TEST(Pangaea, ForeignFunctionsAreNoParents) {
  const Space space = tame_graphs(5);
  TrialLog log;
  // Better than all, but the space has no cosh; the other could be a parent.
  log.add({.number = 0, .plan = {.expression = "cosh(x)", .key = "a"}, .outcome = {.scores = {1}}, .finish_order = 0});
  log.add(
      {.number = 1, .plan = {.expression = "relu(x)", .key = "b"}, .outcome = {.scores = {0.5}}, .finish_order = 1});
  const auto strategy = find_strategy("pangaea").make({.space = &space, .log = &log, .options = {{"population", "2"}}});
  EXPECT_EQ(strategy->ask(2).plan.parents, (std::vector<std::int64_t>{1}));
}

TEST(PangaeaWithoutParameters, HasNone) {
  const Space space = tame_graphs(5, 3);
  for (const char* strategy : {"pangaea", "pangaea-no-parameters"}) {
    const SimulatedStudy study = run_study(strategy, small(space));
    const auto with = std::ranges::count_if(
        study.log().trials(), [](const Trial& trial) { return !parse(trial.plan.expression).parameters().empty(); });
    if (std::string(strategy) == "pangaea") {
      EXPECT_GT(with, 100);
    } else {
      EXPECT_EQ(with, 0);
    }
  }
}

TEST(Mutation, TheLastToEndIsTheParentHoweverBad) {
  const Space space = tame_graphs(5);
  Simulation simulation = small(space);
  simulation.evaluate = [](const Trial& trial) {
    if (trial.number % 5 == 3) return TrialOutcome{.status = TrialStatus::kFailed};
    return TrialOutcome{.scores = {trial.number % 2 == 0 ? -7.0 : 0.9}};
  };
  int stuck = 0;  // all children of the last were known: a random function follows
  simulation.on_ask = [&](const Trial& trial, const TrialLog& log) {
    if (trial.plan.origin == "random") {
      ++stuck;
    } else {
      EXPECT_EQ(trial.plan.parents, population(log, {{"population", "1"}, {"threshold", "-inf"}}));
    }
  };
  EXPECT_EQ(run_study("mutation", simulation).size(), 200);
  EXPECT_LE(stuck, 4);
}

}  // namespace
}  // namespace actforge
