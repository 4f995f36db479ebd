// The evaluators that need no LibTorch: distance to a function, and a table. Commands have a test of their own.
#include "actforge/search/evaluators/evaluator.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <tuple>

#include "actforge/base/find_named.h"
#include "tests/search/evaluator_helpers.h"

namespace actforge {
namespace {

StudySettings distance_to(const std::string& target, const std::string& objective = "accuracy") {
  StudySettings settings;
  settings.evaluator = "distance";
  settings.evaluate["target"] = target;
  settings.objective = objective;
  return settings;
}

TEST(Evaluators, EveryRowIsAWordOfTheSetting) {
  for (const StudyField& field : study_fields()) {
    if (field.option.name != "evaluator") continue;
    std::string words;
    for (const EvaluatorRow& row : evaluators()) words += (words.empty() ? "" : " ") + std::string(row.name);
    EXPECT_EQ(words, field.option.words);
  }
  EXPECT_EQ(message_of([] { make_evaluator({}); }), "code 2: the evaluator 'train' is not one of this library");
}

// A name that several evaluators have means the same in all of them: in a study file it stands once.
TEST(Evaluators, SharedNamesMeanTheSame) {
  for (const EvaluatorRow& row : evaluators()) {
    for (const EvaluatorField& field : row.fields) {
      const EvaluatorField& first = find_named(evaluator_fields(), field.name, "field");
      EXPECT_EQ(field.help, first.help) << row.name << " " << field.name;
      EXPECT_EQ(field.usual, first.usual) << row.name << " " << field.name;
      EXPECT_EQ(std::tie(field.kind, field.least, field.most, field.words),
                std::tie(first.kind, first.least, first.most, first.words));
    }
  }
}

TEST(Evaluators, ThoseWithoutAFactoryAreMadeByTheProgramsOwn) {
  struct Always : Evaluator {
    TrialOutcome evaluate(const EvaluationRequest&) override { return {.scores = {0.5}}; }
  };
  constexpr EvaluatorFactory kFactories[] = {
      {"train", [](const StudySettings&) -> std::unique_ptr<Evaluator> { return std::make_unique<Always>(); }}};
  EXPECT_EQ(make_evaluator({}, kFactories)->evaluate(question("relu(x)")).scores, std::vector<double>{0.5});
  // The others are their own.
  EXPECT_EQ(make_evaluator(distance_to("relu(x)"), kFactories)->evaluate(question("relu(x)")).scores,
            std::vector<double>{1});
  EXPECT_THROW(find_evaluator("tabel"), Error);
}

TEST(DistanceEvaluator, TheTargetIsAtDistanceZero) {
  const TrialOutcome outcome = make_evaluator(distance_to("tanh(x)"))->evaluate(question("tanh(x)"));
  EXPECT_EQ(outcome.status, TrialStatus::kCompleted);
  EXPECT_EQ(outcome.scores, std::vector<double>{1});
  EXPECT_EQ(outcome.metrics, "{\"distance\":0}");
}

TEST(DistanceEvaluator, MeasuresTheRootMeanSquare) {
  double sum = 0;
  for (int i = 0; i <= 300; ++i) {
    const double x = -3 + 0.02 * i, difference = std::max(x, 0.0) - std::tanh(x);
    sum += difference * difference;
  }
  const double distance = std::sqrt(sum / 301);
  const auto scores = [&](const std::string& objective) {
    return make_evaluator(distance_to("tanh(x)", objective))->evaluate(question("relu(x)")).scores;
  };
  EXPECT_NEAR(scores("accuracy").at(0), 1 / (1 + distance), 1e-12);
  EXPECT_NEAR(scores("loss").at(0), -distance, 1e-12);
  const std::vector<double> three = scores("loss,accuracy,cost");
  ASSERT_EQ(three.size(), 3u);
  EXPECT_NEAR(three[1], 1 / (1 + distance), 1e-12);
  EXPECT_LT(three[2], 0);
  EXPECT_TRUE(std::isfinite(three[2]));
}

TEST(DistanceEvaluator, WhatIsNotFiniteFails) {
  const TrialOutcome outcome = make_evaluator(distance_to("tanh(x)"))->evaluate(question("div(1,sub(x,x))"));
  EXPECT_EQ(outcome.status, TrialStatus::kFailed);
  EXPECT_EQ(outcome.reason, "not finite on [-3, 3]");
  EXPECT_TRUE(outcome.scores.empty());
}

TEST(DistanceEvaluator, StopsWhileItPretendsToWork) {
  StudySettings settings = distance_to("tanh(x)");
  settings.evaluate["delay"] = "3600";
  EvaluationRequest request = question("relu(x)");
  int asked = 0;
  request.run.stop = [&] { return ++asked == 3; };
  EXPECT_EQ(message_of([&] { make_evaluator(settings)->evaluate(request); }), "code 130: stopped");
}

TEST(DistanceEvaluator, ATargetIsAFunction) {
  EXPECT_TRUE(message_of([] {
                make_evaluator(distance_to("tahn(x)"));
              }).starts_with("code 2: [evaluate] target 'tahn(x)': unknown "));
}

class TableEvaluatorTest : public testing::Test {
 protected:
  std::unique_ptr<Evaluator> table(const std::string& text, const std::string& objective = "accuracy") {
    std::ofstream(path, std::ios::binary) << text;
    StudySettings settings;
    settings.evaluator = "table";
    settings.evaluate["table"] = path;
    settings.objective = objective;
    return make_evaluator(settings);
  }
  std::string complaint(const std::string& text) {
    const std::string message = message_of([&] { table(text); });
    const std::string begin = "[evaluate] table '" + path + "': ";
    return message.starts_with(begin) ? message.substr(begin.size()) : message;
  }

  ScratchFolder folder;
  std::string path = (folder.path() / "table.csv").string();
};

TEST_F(TableEvaluatorTest, LooksFunctionsUp) {
  const auto evaluator = table("expression,accuracy\nrelu(x),0.9\n\"max(x,tanh(x))\",0.8\n");
  EXPECT_EQ(evaluator->evaluate(question("relu(x)")).scores, std::vector<double>{0.9});
  const TrialOutcome outcome = evaluator->evaluate(question("max(x,tanh(x))"));
  EXPECT_EQ(outcome.status, TrialStatus::kCompleted);
  EXPECT_EQ(outcome.scores, std::vector<double>{0.8});
}

TEST_F(TableEvaluatorTest, EqualFunctionsMeet) {
  const auto evaluator = table("expression,accuracy\n\"add(tanh(x),relu(x))\",0.5\n");
  EXPECT_EQ(evaluator->evaluate(question("relu(x) + tanh(x)")).scores, std::vector<double>{0.5});
}

TEST_F(TableEvaluatorTest, ColumnsAreFoundByName) {
  const auto evaluator = table("seed,cost,loss,accuracy,expression\r\n1,20,0.25,0.9,relu(x)\r\n", "loss,accuracy,cost");
  EXPECT_EQ(evaluator->evaluate(question("relu(x)")).scores, (std::vector<double>{-0.25, 0.9, -20}));
}

TEST_F(TableEvaluatorTest, WhatIsNotThereFails) {
  const TrialOutcome outcome = table("expression,accuracy\nrelu(x),0.9\n")->evaluate(question("tanh(x)"));
  EXPECT_EQ(outcome.status, TrialStatus::kFailed);
  EXPECT_EQ(outcome.reason, "not in the table");
}

TEST_F(TableEvaluatorTest, WhatIsNoNumberFails) {
  const auto evaluator = table("expression,accuracy\nrelu(x),nan\ntanh(x),\nsin(x),inf\nerf(x),0.5x\nabs(x),0.5\n");
  for (const char* function : {"relu(x)", "tanh(x)", "sin(x)", "erf(x)"}) {
    const TrialOutcome outcome = evaluator->evaluate(question(function));
    EXPECT_EQ(outcome.status, TrialStatus::kFailed) << function;
    EXPECT_EQ(outcome.reason, "accuracy is not a number in the table");
  }
  EXPECT_EQ(evaluator->evaluate(question("abs(x)")).scores, std::vector<double>{0.5});
}

TEST_F(TableEvaluatorTest, WrongTablesAreRefused) {
  EXPECT_EQ(complaint(""), "it is empty");
  EXPECT_EQ(complaint("\n\n"), "it is empty");
  EXPECT_EQ(complaint("function,accuracy\n"), "the first row names no column 'expression'");
  EXPECT_EQ(complaint("expression,score\n"), "the first row names no column 'accuracy'");
  EXPECT_EQ(complaint("expression,accuracy\nrelu(x)\n"), "row 2: it has 1 fields, the first row has 2");
  EXPECT_EQ(complaint("expression,accuracy\nrelu(x),1\nmax(x,x),1\n"), "row 3: it has 3 fields, the first row has 2");
  EXPECT_TRUE(complaint("expression,accuracy\nrelu(x),1\nrleu(x),1\n").starts_with("row 3: rleu(x): unknown "));
  EXPECT_EQ(complaint("expression,accuracy\n\"relu(x),1\n"), "line 2: a quote is not closed");
}

TEST_F(TableEvaluatorTest, AMissingFileIsNamed) {
  StudySettings settings;
  settings.evaluator = "table";
  settings.evaluate["table"] = (folder.path() / "none.csv").string();
  EXPECT_NE(message_of([&] { make_evaluator(settings); }).find("cannot read the table"), std::string::npos);
  settings.evaluate["table"] = folder.path().string();
  EXPECT_NE(message_of([&] { make_evaluator(settings); }).find("cannot read the table"), std::string::npos);
}

}  // namespace
}  // namespace actforge
