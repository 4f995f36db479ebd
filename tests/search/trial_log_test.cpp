#include "actforge/search/strategies/trial_log.h"

#include <gtest/gtest.h>

#include "actforge/expr/language/parse.h"

namespace actforge {
namespace {

Trial running(std::int64_t number, const std::string& key, const std::string& fingerprint = "") {
  return {.number = number,
          .plan = {.expression = "relu(x)", .key = key, .fingerprint = fingerprint},
          .outcome = {.status = TrialStatus::kRunning}};
}

Trial over(std::int64_t number, std::int64_t order, TrialStatus status = TrialStatus::kCompleted) {
  Trial trial = running(number, "key " + std::to_string(number));
  trial.outcome = {.status = status, .scores = {0.5}};
  trial.finish_order = order;
  return trial;
}

TEST(TrialLog, KeepsTheOrderInWhichTrialsEnded) {
  TrialLog log;
  for (std::int64_t i = 0; i < 4; ++i) log.add(running(i, "key " + std::to_string(i)));
  EXPECT_TRUE(log.finished().empty());
  log.add(over(2, 0));
  log.add(over(0, 1, TrialStatus::kFailed));
  log.add(over(3, 2, TrialStatus::kQuarantined));
  log.add(over(2, 0));  // told twice
  EXPECT_EQ(log.finished(), (std::vector<std::int64_t>{2, 0, 3}));
  EXPECT_EQ(log.trials().size(), 4u);
  EXPECT_EQ(log.trial(1).status(), TrialStatus::kRunning);
  EXPECT_EQ(log.trial(0).status(), TrialStatus::kFailed);
}

// What was set aside may be tried again: seen step by step, or only at its end.
TEST(TrialLog, TrialsMayEndTwice) {
  TrialLog log;
  log.add(over(0, 0, TrialStatus::kQuarantined));
  log.add(over(1, 1));
  log.add(running(0, "key 0"));
  EXPECT_EQ(log.finished(), (std::vector<std::int64_t>{1}));
  log.add(over(0, 2));
  EXPECT_EQ(log.finished(), (std::vector<std::int64_t>{1, 0}));
  log.add(over(1, 3));
  EXPECT_EQ(log.finished(), (std::vector<std::int64_t>{0, 1}));
}

// A reader that starts late is told trials in the order of their last changes.
TEST(TrialLog, TakesTrialsInAnyOrder) {
  TrialLog log;
  log.add(over(3, 2));
  log.add(running(1, "key 1"));
  log.add(over(0, 1));
  log.add(over(2, 0));
  EXPECT_EQ(log.finished(), (std::vector<std::int64_t>{2, 0, 3}));
  for (std::int64_t i = 0; i < 4; ++i) {
    EXPECT_EQ(log.trial(i).number, i);
    EXPECT_EQ(log.find({.canonical = "key " + std::to_string(i)}), i);
  }
}

TEST(TrialLog, FindsTheEarliestEqualFunction) {
  TrialLog log;
  log.add(running(2, "b", "3:values"));
  log.add(running(1, "a", ""));
  log.add(running(0, "c", "3:values"));
  EXPECT_EQ(log.find({.canonical = "b", .fingerprint = "3:values"}), 0);
  EXPECT_EQ(log.find({.canonical = "b", .fingerprint = "3:others"}), 2);
  EXPECT_EQ(log.find({.canonical = "a", .fingerprint = "3:values"}), 0);
  EXPECT_EQ(log.find({.canonical = "d", .fingerprint = ""}), std::nullopt) << "no fingerprint equals none";
}

// A study that an older version began: its fingerprints, without a version, could equal no new one.
TEST(TrialLog, ComputesFingerprintsOfOtherVersionsAnew) {
  Trial trial = running(0, "some form", "0123456789abcdef0123456789abcdef");
  trial.plan.expression = "abs(x)";
  TrialLog log;
  log.add(trial);
  const FunctionKey equal_by_values = FunctionKeys()(parse("relu(abs(x))"));
  EXPECT_EQ(log.find({.fingerprint = equal_by_values.fingerprint}), 0);
  EXPECT_EQ(log.trial(0).plan.fingerprint, equal_by_values.fingerprint);
  EXPECT_EQ(log.find({.fingerprint = trial.plan.fingerprint}), std::nullopt);
}

TEST(FunctionKeys, TellFunctionsApart) {
  const FunctionKeys keys;
  const auto key = [&](const char* text) { return keys(parse(text)); };
  EXPECT_EQ(key("add(relu(x),tanh(x))").canonical, key("add(tanh(x),relu(x))").canonical);
  EXPECT_EQ(key("relu(abs(x))").fingerprint, key("abs(x)").fingerprint);
  EXPECT_NE(key("relu(x)").canonical, key("alpha(relu(x))").canonical);
  EXPECT_NE(key("relu(x)").fingerprint, key("alpha(relu(x))").fingerprint);
  // Networks without normalisation get there.
  EXPECT_NE(key("relu(x)").fingerprint, key("relu6(x)").fingerprint);
  EXPECT_NE(key("tanh(x)").fingerprint, key("max(tanh(x),-x-9)").fingerprint);
}

}  // namespace
}  // namespace actforge
