#include "actforge/study/strategy_switch.h"

#include <gtest/gtest.h>

#include "actforge/base/error.h"
#include "actforge/study/begin_study.h"
#include "actforge/study/study_plan.h"
#include "tests/search/study_helpers.h"

namespace actforge {
namespace {

TrialOutcome half(const EvaluationRequest&) { return {.scores = {0.5}}; }

// The study of a location goes on, as `search run STUDY --strategy NAME` has it.
StudyPlan go_on(const std::string& place, const std::string& strategy, const StrategyOptions& options = {},
                std::uint64_t trials = 0) {
  StudyPlan plan = plan_study({.file = place, .strategy = strategy, .change = [&](StudySettings& settings) {
                                 for (const auto& [name, value] : options) settings.options[name] = value;
                                 if (trials > 0) settings.trials = trials;
                               }});
  begin_study(plan.location, plan.settings, {.may_switch = plan.may_switch});
  return plan;
}

std::vector<std::string> spans_of(const TestStudy& study) {
  std::vector<std::string> list;
  for (const StrategySpan& span : strategy_spans(*study.store, open_study(study.place).settings)) {
    list.push_back(span.strategy + " from " + std::to_string(span.first));
  }
  return list;
}

TEST(StrategySwitch, AStudyGoesOnWithAnother) {
  const TestStudy study(quick_settings("random", 10));
  EXPECT_EQ(spans_of(study), std::vector<std::string>{"random from 0"});
  study.run(half);
  const StudyPlan plan = go_on(study.place, "pangaea", {{"sample", "3"}}, 30);
  EXPECT_EQ(plan.settings.strategy, "pangaea");
  EXPECT_EQ(plan.settings.options.at("sample"), "3");
  EXPECT_EQ(plan.settings.options.at("population"), "5");  // of 30 functions
  EXPECT_EQ(open_study(study.place).settings.strategy, "pangaea");
  EXPECT_EQ(spans_of(study), (std::vector<std::string>{"random from 0", "pangaea from 10"}));
  TestEvaluator evaluator(half);
  run_worker({.location = study.place, .settings = plan.settings, .name = {.name = "w"}}, evaluator);
  EXPECT_EQ(study.store->counts().trials, 30);
  EXPECT_EQ(study.trial(10).plan.parents.size(), 1u);  // the ten before are its population
  // Going on with the same changes nothing; without a name the study stays as it is.
  go_on(study.place, "pangaea");
  go_on(study.place, "");
  EXPECT_EQ(spans_of(study).size(), 2u);
  go_on(study.place, "cafe", {}, 40);
  EXPECT_EQ(spans_of(study), (std::vector<std::string>{"random from 0", "pangaea from 10", "cafe from 30"}));
}

TEST(StrategySwitch, OtherOptionsOfTheSameStrategyAreASwitchToo) {
  const TestStudy study(quick_settings("pangaea", 20));
  const StudyPlan plan = go_on(study.place, "pangaea", {{"threshold", "-inf"}});
  EXPECT_EQ(plan.settings.options.at("population"), "8");  // as before
  EXPECT_EQ(open_study(study.place).settings.options.at("threshold"), "-inf");
  EXPECT_EQ(spans_of(study), (std::vector<std::string>{"pangaea from 0", "pangaea from 0"}));
}

std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(StrategySwitch, IsRefusedWhereItCannotWork) {
  const TestStudy study(quick_settings("random", 5));
  study.run(half);
  EXPECT_EQ(refusal([&] { go_on(study.place, "pangaea"); }),
            "the study has had all of its 5 trials, so none is left for the strategy 'pangaea'; --trials 10, for "
            "example, gives it some");
  EXPECT_TRUE(refusal([&] { go_on(study.place, "pangea"); }).starts_with("unknown strategy 'pangea'"));
  EXPECT_NE(refusal([&] {
              go_on(study.place, "pangaea", {{"elites", "3"}}, 20);
            }).find("nothing reads it"),
            std::string::npos);
  EXPECT_NE(refusal([&] {
              go_on(study.place, "aquasurf", {{"features", "both"}}, 20);
            }).find("needs spectra"),
            std::string::npos);
  EXPECT_EQ(spans_of(study).size(), 1u);
  EXPECT_EQ(open_study(study.place).settings.strategy, "random");
}

TEST(StrategySwitch, IsRefusedWhileTheStudyIsRun) {
  const TestStudy study(quick_settings("random", 5));
  ClaimRequest request = {.worker = {.name = worker_name(), .version = "1", .lease = 60}, .budget = 5};
  Proposals proposals(study.settings);
  study.store->claim(request, [&](const auto& changes, std::int64_t number) { return proposals(changes, number); });
  EXPECT_TRUE(refusal([&] { go_on(study.place, "pangaea"); }).starts_with("the study is being run (by worker "));
}

// Without its name on the command line, another strategy in a study file is a mistake.
TEST(StrategySwitch, IsNotDoneByAccident) {
  const TestStudy study(quick_settings("random", 5));
  StudySettings other = quick_settings("pangaea", 5);
  const std::string said = refusal([&] { begin_study(study.place, other); });
  EXPECT_NE(said.find("[strategy] strategy: 'random' there, 'pangaea' here"), std::string::npos) << said;
  EXPECT_TRUE(said.ends_with("'search run' with --strategy goes on with another strategy.")) << said;
}

TEST(StrategySwitch, WhatWasNotKeptDoesNotCount) {
  const TestStudy study(quick_settings("random", 5));
  StudySettings other = quick_settings("pangaea", 5);
  note_switch(*study.store, study.settings, other);  // and killed before the settings are kept
  study.store->add_event("strategy", "something else");
  EXPECT_EQ(spans_of(study), std::vector<std::string>{"random from 0"});
}

}  // namespace
}  // namespace actforge
