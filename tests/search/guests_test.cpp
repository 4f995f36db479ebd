// Trials that a strategy has not chosen: somebody has put them in front, or another strategy went before.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/search/problems.h"
#include "tests/search/simulate_study.h"

namespace actforge {
namespace {

constexpr const char* kTarget = "mul(relu(x),sigmoid(x))";

struct Case {
  const char* strategy;
  StrategyOptions options = {};
};

const std::vector<Case>& cases() {
  static const std::vector<Case> list = {
      {"exhaustive"},
      {"random"},
      {"mutation"},
      {"pangaea", {{"population", "6"}, {"sample", "3"}, {"threshold", "0"}}},
      {"cafe", {{"cafe-population", "10"}, {"generations", "9"}, {"elites", "2"}, {"newcomers", "2"}}},
      {"aquasurf", {{"start", "relu(x), tanh(x)"}, {"pool", "80"}}},
  };
  return list;
}

Simulation simulation_of(const Case& one, const Space& space) {
  return {.space = &space, .evaluate = Nearness(kTarget), .options = one.options, .workers = 2};
}

Space small_space() {
  return Space({.name = "small",
                .unary = tame_unary(),
                .binary = tame_binary(),
                .schemas = {"binary(unary(x),unary(x))", "unary(unary(x))"}});
}

std::set<std::int64_t> parents_after(const TrialLog& log, std::int64_t first) {
  std::set<std::int64_t> parents;
  for (const Trial& trial : log.trials()) {
    if (trial.number >= first) parents.insert(trial.plan.parents.begin(), trial.plan.parents.end());
  }
  return parents;
}

void expect_all_different(const TrialLog& log) {
  std::set<std::string> keys;
  for (const Trial& trial : log.trials()) EXPECT_TRUE(keys.insert(trial.plan.key).second) << trial.plan.expression;
}

TEST(Guests, EveryStrategyGoesOnBesideThem) {
  const Space space = small_space();
  for (const Case& one : cases()) {
    std::vector<std::string> choices;
    for (const bool restart : {false, true}) {
      Simulation simulation = simulation_of(one, space);
      simulation.workers = 1;
      simulation.restart_before_asking = restart;
      SimulatedStudy study(one.strategy, simulation);
      study.run_to(9);
      study.put_in_front("sinh(x)");  // not in the space
      study.put_in_front(kTarget);
      study.run_to(45);
      EXPECT_EQ(study.size(), 45) << one.strategy;
      expect_all_different(study.log());
      EXPECT_FALSE(parents_after(study.log(), 11).contains(9)) << one.strategy;
      if (restart) {
        EXPECT_EQ(study.choices(), choices) << one.strategy;
      }
      choices = study.choices();
    }
  }
}

TEST(Guests, EvolutionBreedsFromThem) {
  const Space space = small_space();
  for (const Case& one : cases()) {
    if (std::string_view(one.strategy) != "pangaea" && std::string_view(one.strategy) != "cafe") continue;
    SimulatedStudy study(one.strategy, simulation_of(one, space));
    study.run_to(12);
    const std::int64_t guest = study.put_in_front(kTarget);  // the best there is
    study.run_to(60);
    EXPECT_TRUE(parents_after(study.log(), guest).contains(guest)) << one.strategy;
  }
}

// A function that is in no pool, once good and once bad: what is chosen next depends on it.
TEST(Guests, TheSurrogateLearnsFromThem) {
  const Space space = small_space();
  constexpr const char* kGuest = "mul(relu(x),mul(2,sigmoid(mul(2,x))))";
  const auto choices = [&](double score) {
    Simulation simulation = simulation_of({"aquasurf", {{"start", "relu(x), tanh(x)"}, {"pool", "40"}}}, space);
    simulation.workers = 1;
    simulation.evaluate = [&, nearness = Nearness(kTarget)](const Trial& trial) {
      return trial.plan.origin == kEnqueued ? TrialOutcome{.scores = {score}} : nearness(trial);
    };
    SimulatedStudy study("aquasurf", simulation);
    study.run_to(6);
    study.put_in_front(kGuest);
    study.run_to(20);
    return study.choices();
  };
  EXPECT_NE(choices(1), choices(0.01));
}

TEST(Switches, EveryStrategyGoesOnAfterEveryOther) {
  const Space space = small_space();
  for (const Case& before : cases()) {
    for (const Case& after : cases()) {
      std::vector<std::string> choices;
      for (const bool restart : {false, true}) {
        Simulation simulation = simulation_of(before, space);
        simulation.workers = 1;
        simulation.restart_before_asking = restart;
        SimulatedStudy study(before.strategy, simulation);
        study.run_to(14);
        study.switch_to(after.strategy, after.options);
        study.run_to(40);
        EXPECT_EQ(study.size(), 40) << before.strategy << " to " << after.strategy;
        expect_all_different(study.log());
        if (restart) {
          EXPECT_EQ(study.choices(), choices) << before.strategy << " to " << after.strategy;
        }
        choices = study.choices();
      }
    }
  }
}

// Fourteen random functions are population enough: nothing is drawn at random any more.
TEST(Switches, WhatWasTriedIsThePopulation) {
  const Space space = small_space();
  for (const Case& after : cases()) {
    if (std::string_view(after.strategy) != "pangaea" && std::string_view(after.strategy) != "cafe") continue;
    Simulation simulation = simulation_of({"random"}, space);
    simulation.workers = 1;
    SimulatedStudy study("random", simulation);
    study.run_to(14);
    study.switch_to(after.strategy, after.options);
    study.run_to(18);
    for (std::int64_t number = 14; number < 18; ++number) {
      EXPECT_FALSE(study.log().trial(number).plan.parents.empty()) << after.strategy;
    }
  }
}

}  // namespace
}  // namespace actforge
