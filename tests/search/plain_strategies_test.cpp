#include <gtest/gtest.h>

#include <map>

#include "actforge/expr/language/print.h"
#include "actforge/space/unique.h"
#include "tests/search/problems.h"
#include "tests/search/simulate_study.h"
#include "tests/space/frequency.h"

namespace actforge {
namespace {

TEST(Exhaustive, TriesEveryUniqueFunctionInTheSpacesOrder) {
  const Space space({.name = "some",
                     .unary = {Op::kRelu, Op::kZero, Op::kSigmoid, Op::kAbs},
                     .binary = {Op::kMax, Op::kAdd, Op::kMul},
                     .schemas = {"unary(x)", "binary(unary(x),unary(x))", "unary(unary(x))"},
                     .parameters = 1});
  const SimulatedStudy study =
      run_study("exhaustive", {.space = &space, .evaluate = Nearness("relu(x)"), .workers = 3});
  EXPECT_TRUE(study.ended());
  const UniqueFunctions unique = find_unique(space, {.fingerprint = kKeyFingerprint});
  ASSERT_EQ(static_cast<std::size_t>(study.size()), unique.representatives.size());
  for (std::size_t i = 0; i < unique.representatives.size(); ++i) {
    EXPECT_EQ(study.log().trials()[i].plan.expression, to_call(space.at(unique.representatives[i])));
  }
}

// Not from the beginning: a log with one trial far out is enough to go on after it.
TEST(Exhaustive, GoesOnAfterTheLastTrial) {
  const Space space = tame_trees();
  const Integer place = space.total() - 1000;
  TrialLog log;
  log.add({.number = 0, .plan = {.expression = to_call(space.at(place)), .key = "a", .origin = "exhaustive"}});
  // Somebody's wish, which is none of this strategy's doing.
  log.add({.number = 1, .plan = {.expression = "relu(x)", .key = "b", .origin = "wish"}});
  const auto strategy = find_strategy("exhaustive").make({.space = &space, .log = &log});
  EXPECT_EQ(strategy->ask(2).plan.expression, to_call(space.at(place + 1)));
}

TEST(RandomSearch, DrawsAllFunctionsEquallyOften) {
  const Space space(
      {.name = "five", .unary = {Op::kRelu, Op::kTanh, Op::kSigmoid, Op::kAbs, Op::kErf}, .schemas = {"unary(x)"}});
  std::map<std::string, int> first, second;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    SimulatedStudy study("random", {.space = &space, .evaluate = Nearness("relu(x)"), .seed = seed});
    study.ask();
    study.ask();
    ++first[study.log().trial(0).plan.expression];
    ++second[study.log().trial(1).plan.expression];
  }
  const std::map<std::string, double> wanted = {
      {"relu(x)", 0.2}, {"tanh(x)", 0.2}, {"sigmoid(x)", 0.2}, {"abs(x)", 0.2}, {"erf(x)", 0.2}};
  expect_frequencies(first, wanted);
  expect_frequencies(second, wanted);
}

// The last function of a space is found too, where a thousand draws would most likely miss it.
TEST(RandomSearch, FindsTheLastFunction) {
  const Space space({.name = "core units", .schemas = {"binary(unary(x),unary(x))"}});
  const UniqueFunctions unique = find_unique(space, {.fingerprint = kKeyFingerprint});
  const std::string left_out = "mul(erf(x),erf(x))";
  const FunctionKeys keys;
  TrialLog log;
  for (const std::uint32_t index : unique.representatives) {
    const Expr expr = space.at(index);
    if (to_call(expr) == left_out) continue;
    const FunctionKey key = keys(expr);
    log.add({.number = static_cast<std::int64_t>(log.trials().size()),
             .plan = {.expression = to_call(expr), .key = key.canonical, .fingerprint = key.fingerprint}});
  }
  ASSERT_EQ(log.trials().size() + 1, unique.representatives.size());
  const auto number = static_cast<std::int64_t>(log.trials().size());
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const auto strategy = find_strategy("random").make({.space = &space, .log = &log, .run = {.seed = seed}});
    EXPECT_EQ(strategy->ask(number).plan.expression, left_out);
  }
}

}  // namespace
}  // namespace actforge
