// What holds of every strategy of the table.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/search/problems.h"
#include "tests/search/simulate_study.h"

namespace actforge {
namespace {

constexpr const char* kTarget = "mul(relu(x),sigmoid(x))";
const std::set<std::string_view> kWithoutTiming = {"exhaustive", "random", "cafe"};

struct Case {
  std::string name;
  Space space;
};

std::vector<Case> cases() {
  std::vector<Case> list;
  list.push_back({"graphs", tame_graphs(5)});
  list.push_back({"graphs with parameters", tame_graphs(4, 3)});
  list.push_back({"trees", tame_trees()});
  list.push_back({"union", Space({.name = "union",
                                  .unary = tame_unary(),
                                  .binary = tame_binary(),
                                  .schemas = {"binary(unary(x),unary(x))", "unary(unary(x))", "relu(unary(x))"},
                                  .parameters = 1})});
  return list;
}

Simulation small(const Space& space) {
  return {.space = &space,
          .evaluate = Nearness(kTarget),
          .options = {{"cafe-population", "20"},
                      {"generations", "4"},
                      {"elites", "3"},
                      {"newcomers", "4"},
                      {"population", "10"},
                      {"sample", "3"},
                      {"threshold", "0.3"},
                      {"start", ""},
                      {"start-random", "8"},
                      {"pool", "90"},
                      {"candidates", "90"},
                      {"offspring", "10"}},
          .budget = 80};
}

template <class Check>
void for_all(Check check) {
  for (const Case& c : cases()) {
    for (const StrategyRow& row : strategies()) {
      SCOPED_TRACE(std::string(row.name) + " in " + c.name);
      check(row, c.space);
    }
  }
}

// Half of these functions are constant.
Space with_constants() {
  return Space({.name = "with constants",
                .unary = {Op::kZero, Op::kOne, Op::kRelu, Op::kTanh, Op::kSigmoid, Op::kAbs},
                .binary = {Op::kAdd, Op::kSub, Op::kMul},
                .max_nodes = 5,
                .parameters = 1,
                .require = read_requirements("not-constant")});
}

TEST(Strategies, TryNoFunctionThatTheSpaceRefuses) {
  const Space space = with_constants();
  SpaceDefinition all = space.definition();
  all.require.reset();
  const Space everything(all);
  for (const StrategyRow& row : strategies()) {
    SCOPED_TRACE(row.name);
    const SimulatedStudy study = run_study(row.name, small(space));
    EXPECT_GE(study.size(), 50);
    std::int64_t refused = 0;
    for (const Trial& trial : study.log().trials()) {
      EXPECT_EQ(space.refusal(parse(trial.plan.expression)), "") << trial.plan.expression;
      refused += trial.plan.refused;
    }
    if (row.prepare == nullptr) {  // a pool leaves them out before there are trials
      EXPECT_GT(refused, 3);
    }
    Simulation again = small(space);
    again.restart_before_asking = true;
    EXPECT_EQ(run_study(row.name, again).choices(), study.choices());
    // The test would notice.
    const SimulatedStudy other = run_study(row.name, small(everything));
    EXPECT_TRUE(std::ranges::any_of(other.log().trials(), [&](const Trial& trial) {
      return !space.refusal(parse(trial.plan.expression)).empty();
    }));
  }
}

TEST(Strategies, NeverTryEqualFunctionsTwice) {
  for_all([](const StrategyRow& row, const Space& space) {
    Simulation simulation = small(space);
    simulation.workers = 5;
    const SimulatedStudy study = run_study(row.name, simulation);
    EXPECT_GE(study.size(), 50);
    const FunctionKeys keys;
    std::set<std::string> seen;
    for (const Trial& trial : study.log().trials()) {
      const Expr expr = parse(trial.plan.expression);
      const FunctionKey key = keys(expr);
      EXPECT_EQ(key.canonical, trial.plan.key);
      EXPECT_EQ(key.fingerprint, trial.plan.fingerprint);
      EXPECT_TRUE(seen.insert(key.canonical).second) << trial.plan.expression;
      EXPECT_TRUE(seen.insert("values " + key.fingerprint).second) << trial.plan.expression;
      EXPECT_TRUE(space.admits(expr)) << trial.plan.expression;
      EXPECT_FALSE(trial.plan.origin.empty());
      EXPECT_FALSE(trial.plan.story.empty());
    }
  });
}

TEST(Strategies, SameSeedSameChoices) {
  for_all([](const StrategyRow& row, const Space& space) {
    Simulation simulation = small(space);
    const auto choices = run_study(row.name, simulation).choices();
    EXPECT_EQ(run_study(row.name, simulation).choices(), choices);
    simulation.seed = 2;
    EXPECT_EQ(run_study(row.name, simulation).choices() == choices, row.name == "exhaustive");
  });
}

// Killed and started again before every single question, with a log that is read in disorder.
TEST(Strategies, GoOnAsIfTheyHadNotBeenStopped) {
  for_all([](const StrategyRow& row, const Space& space) {
    Simulation simulation = small(space);
    if (row.prepare != nullptr) simulation.budget = 13;  // it makes its map anew each time
    for (const int workers : {1, 4}) {
      simulation.workers = workers;
      simulation.restart_before_asking = false;
      const auto undisturbed = run_study(row.name, simulation).choices();
      simulation.restart_before_asking = true;
      EXPECT_EQ(run_study(row.name, simulation).choices(), undisturbed) << workers << " workers";
    }
  });
}

TEST(Strategies, SomeDoNotDependOnTiming) {
  for_all([](const StrategyRow& row, const Space& space) {
    if (!kWithoutTiming.contains(row.name)) return;
    Simulation simulation = small(space);
    const auto choices = run_study(row.name, simulation).choices();
    for (const int workers : {2, 7, 100}) {
      simulation.workers = workers;
      simulation.timing = static_cast<std::uint64_t>(workers);
      EXPECT_EQ(run_study(row.name, simulation).choices(), choices) << workers << " workers";
    }
  });
}

TEST(Strategies, AskedAgainTheySayTheSame) {
  for_all([](const StrategyRow& row, const Space& space) {
    SimulatedStudy study(row.name, small(space));
    for (int i = 0; i < 30; ++i) {
      const Proposal once = study.strategy().ask(study.size()), again = study.strategy().ask(study.size());
      ASSERT_EQ(once.kind, again.kind);
      ASSERT_EQ(once.plan.expression, again.plan.expression);
      ASSERT_TRUE(study.ask());
      ASSERT_EQ(study.log().trials().back().plan.expression, once.plan.expression);
      study.finish_all();
    }
  });
}

TEST(Strategies, EndWhereTheSpaceDoes) {
  // Nine functions, of which three pairs are equal: the order of a sum does not matter.
  const Space space({.name = "tiny",
                     .unary = {Op::kRelu, Op::kTanh, Op::kSigmoid},
                     .binary = {Op::kAdd},
                     .schemas = {"binary(unary(x),unary(x))"}});
  for (const StrategyRow& row : strategies()) {
    SCOPED_TRACE(row.name);
    Simulation simulation = {.space = &space, .evaluate = Nearness("relu(x)"), .workers = 2};
    simulation.options["start"] = "";
    simulation.options["start-random"] = "3";
    const SimulatedStudy study = run_study(row.name, simulation);
    EXPECT_TRUE(study.ended());
    EXPECT_EQ(study.size(), 6);
  }
}

TEST(Strategies, CopeWithNothingToChange) {
  const Space space({.name = "one", .schemas = {"relu(x)"}});
  for (const StrategyRow& row : strategies()) {
    SCOPED_TRACE(row.name);
    const SimulatedStudy study =
        run_study(row.name, {.space = &space, .evaluate = Nearness("relu(x)"), .options = {{"start", "relu(x)"}}});
    EXPECT_TRUE(study.ended());
    EXPECT_EQ(study.size(), 1);
  }
}

TEST(Strategies, CopeWithNothingButFailures) {
  const Space space = tame_trees();
  for (const StrategyRow& row : strategies()) {
    SCOPED_TRACE(row.name);
    Simulation simulation = small(space);
    simulation.evaluate = [](const Trial&) { return TrialOutcome{.status = TrialStatus::kFailed}; };
    const SimulatedStudy study = run_study(row.name, simulation);
    EXPECT_GT(study.size(), 60);
    for (const Trial& trial : study.log().trials()) EXPECT_TRUE(trial.plan.parents.empty());
  }
}

}  // namespace
}  // namespace actforge
