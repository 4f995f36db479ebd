#include "actforge/study/after_search.h"

#include <gtest/gtest.h>

#include "actforge/base/error.h"
#include "tests/search/study_helpers.h"
#include "tests/study/small_training.h"

namespace actforge {
namespace {

// A study that has tried five functions; the later the better.
class AfterSearchTest : public testing::Test {
 protected:
  AfterSearchTest() : study_(quick_settings("exhaustive", 5)) {
    study_.run([](const EvaluationRequest& request) {
      return TrialOutcome{.scores = {0.1 * static_cast<double>(request.trial)}};
    });
  }
  OpenStudy open() const { return open_study(study_.place); }
  std::string expression(std::int64_t trial) const { return study_.trial(trial).plan.expression; }

  TestStudy study_;
};

std::vector<std::string> baselines_in(const StageQuestion& question) {
  std::vector<std::string> names;
  for (const ComparedFunction& function : question.functions) {
    if (function.is_baseline) names.push_back(function.expression);
  }
  return names;
}

TEST_F(AfterSearchTest, RerankingTakesTheBestOfTheStudyAlone) {
  const StageQuestion question = rerank_question(open(), {.count = 2, .repeats = 4});
  EXPECT_EQ(question.stage.name, "rerank");
  EXPECT_EQ(question.repeats, 4);
  ASSERT_EQ(question.functions.size(), 2u);
  EXPECT_EQ(question.functions[0].expression, expression(4));
  EXPECT_EQ(question.functions[1].expression, expression(3));
  const StageQuestion asked =
      rerank_question(open(), {.count = 1, .functions = {"sinh(x)"}, .baselines = {"swish(x)"}});
  EXPECT_EQ(baselines_in(asked), std::vector<std::string>{"swish(x)"});
  EXPECT_EQ(asked.functions.size(), 3u);
}

TEST_F(AfterSearchTest, AFinalTestHasAllRivalsAndSaysHowFunctionsWereChosen) {
  const OpenStudy study = open();
  const StageQuestion question = final_question(study, {{.count = 1, .against = "relu(x)"}});
  EXPECT_TRUE(question.stage.test);
  EXPECT_EQ(question.against, "relu(x)");
  EXPECT_GE(baselines_in(question).size(), 9u);
  EXPECT_FALSE(question.sweep);
  EXPECT_FALSE(question.confirm);
  ASSERT_EQ(question.notes.size(), 1u);
  EXPECT_NE(question.notes[0].find("favour lucky runs"), std::string::npos);
  // Without any function of the study nothing is chosen.
  EXPECT_TRUE(final_question(study, {{.count = 0}}).notes.empty());
}

TEST_F(AfterSearchTest, AnotherScaleOrTaskIsForNetworksThatAreTrained) {
  FinalTest wanted;
  wanted.confirm = true;
  EXPECT_THROW(final_question(open(), wanted), Error);
  EXPECT_THROW(transfer_question(open(), {}, {.net = "resnet-mini"}), Error);
}

TEST(AfterTraining, RatesAreWidenedUnlessTheyAreGiven) {
  const TestStudy made(small_training());
  const OpenStudy study = open_study(made.place);
  FinalTest wanted = {{.count = 0}};
  wanted.sweep = true;
  const StageQuestion usual = final_question(study, wanted);
  ASSERT_TRUE(usual.sweep);
  EXPECT_EQ(usual.sweep->rates, usual_rates(study.settings));
  EXPECT_TRUE(usual.widen_rates);
  wanted.rates = {0.01, 0.1};
  const StageQuestion given = final_question(study, wanted);
  EXPECT_EQ(given.sweep->rates, wanted.rates);
  EXPECT_FALSE(given.widen_rates);
}

TEST(AfterTraining, WhatDoesNotExistIsRefusedBeforeAnythingIsTrained) {
  const TestStudy made(small_training());
  const OpenStudy study = open_study(made.place);
  FinalTest wanted = {{.count = 0}};
  wanted.confirm_net = "mlp-2-16";
  EXPECT_EQ(final_question(study, wanted).confirm->settings.net, "mlp-2-16");
  wanted.confirm_net = "mpl-2-16";
  EXPECT_THROW(final_question(study, wanted), Error);
  EXPECT_EQ(transfer_question(study, {.count = 0}, {.net = "mlp-2-16"}).stage.settings.net, "mlp-2-16");
  EXPECT_THROW(transfer_question(study, {.count = 0}, {.data = "digit"}), Error);
  // No function has a score, and none is named.
  EXPECT_THROW(final_question(study, {}), Error);
  EXPECT_THROW(rerank_question(study, {}), Error);
}

// A process that evaluates is told its stage by name.
TEST(Stages, EachIsMadeByItsRow) {
  const StudySettings settings = small_training();
  const TransferTask task = {.net = "mlp-2-16", .test = true};
  for (const StageRow& row : stages()) {
    const Stage stage = find_stage(row.name).make(settings, task);
    EXPECT_EQ(stage.name, row.name);
    EXPECT_EQ(stage.full_schedule(), row.name != "baseline");
    const bool has_task = row.name == "confirm" || row.name == "transfer";
    EXPECT_EQ(stage.settings.net, has_task ? "mlp-2-16" : "mlp-1-16") << row.name;
  }
  EXPECT_THROW(find_stage("finale"), Error);
}

}  // namespace
}  // namespace actforge
