#include "actforge/study/comparison.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "actforge/expr/language/parse.h"
#include "actforge/search/maps/equal_functions.h"
#include "actforge/search/settings/spectrum_conditions.h"
#include "actforge/search/strategies/trial_log.h"
#include "tests/search/study_helpers.h"

namespace actforge {
namespace {

// Puts runs into a study as a stage would have made them.
class Runs {
 public:
  Runs() : study_(quick_settings("random", 4)), stage(final_stage(study_.settings)) {}

  void add(const std::string& expression, std::int64_t repeat, const TrialOutcome& outcome) const {
    study_.store->add_run({.group = stage_group(stage),
                           .expression = expression,
                           .key = FunctionKeys()(parse(expression)).canonical,
                           .repeat = repeat,
                           .outcome = outcome});
  }
  void add(const std::string& expression, const std::vector<double>& scores) const {
    for (std::size_t i = 0; i < scores.size(); ++i) {
      add(expression, static_cast<std::int64_t>(i), {.scores = {scores[i]}});
    }
  }
  Store& store() const { return *study_.store; }

 private:
  TestStudy study_;

 public:
  Stage stage;
};

ComparisonQuestion question(const std::vector<std::string>& functions, const std::string& against) {
  ComparisonQuestion asked = {.against = against, .repeats = 100};
  for (const std::string& function : functions) {
    asked.functions.push_back({.expression = function, .trial = -1, .is_baseline = function == against});
  }
  return asked;
}

TEST(Comparison, TheBestComesFirstAndTestsAreAgainstTheBaseline) {
  const Runs runs;
  const std::vector<double> relu = {0.70, 0.72, 0.71, 0.69}, swish = {0.75, 0.77, 0.74, 0.78},
                            tanh = {0.6, 0.8, 0.7, 0.7};
  runs.add("relu(x)", relu);
  runs.add("swish(x)", swish);
  runs.add("tanh(x)", tanh);
  const Comparison c = compare(runs.store(), runs.stage, question({"tanh(x)", "relu(x)", "swish(x)"}, "relu(x)"));
  ASSERT_EQ(c.rows.size(), 3u);
  EXPECT_EQ(c.rows[0].function.expression, "swish(x)");
  EXPECT_EQ(c.rows[0].scores, swish);
  EXPECT_DOUBLE_EQ(c.rows[0].summary.mean, 0.76);
  EXPECT_DOUBLE_EQ(c.rows[0].welch.p, welch_greater(swish, relu).p);
  EXPECT_DOUBLE_EQ(c.rows[0].rank.p, mann_whitney_greater(swish, relu).p);
  EXPECT_NEAR(c.rows[0].difference, 0.055, 1e-12);
  // Two tests in all: Holm doubles the smaller p.
  EXPECT_DOUBLE_EQ(c.rows[0].welch_holm, 2 * c.rows[0].welch.p);
  for (const ComparisonRow& row : c.rows) {
    if (row.function.expression != "relu(x)") continue;
    EXPECT_TRUE(std::isnan(row.welch.p));
    EXPECT_TRUE(std::isnan(row.welch_holm));
  }
}

TEST(Comparison, FailedRunsCountAsGuessing) {
  const Runs runs;
  runs.add("relu(x)", {0.7, 0.7});
  runs.add("swish(x)", 0, {.scores = {0.8}});
  runs.add("swish(x)", 1, {.status = TrialStatus::kFailed, .reason = "diverged"});
  const Comparison c = compare(runs.store(), runs.stage, question({"swish(x)", "relu(x)"}, "relu(x)"));
  EXPECT_EQ(c.rows[0].function.expression, "relu(x)");
  EXPECT_EQ(c.rows[1].failed, 1u);
  EXPECT_EQ(c.rows[1].scores, (std::vector<double>{0.8, 0}));
}

TEST(Comparison, OfImageClassesGuessingIsOneOfTheirNumber) {
  StudySettings settings;
  settings.trials = 1;
  complete_settings(settings);
  const TestStudy study(settings);
  const Stage stage = final_stage(settings);
  study.store->add_run({.group = stage_group(stage),
                        .expression = "relu(x)",
                        .key = FunctionKeys()(parse("relu(x)")).canonical,
                        .outcome = {.status = TrialStatus::kFailed}});
  EXPECT_EQ(compare(*study.store, stage, question({"relu(x)"}, "")).rows[0].scores, std::vector<double>{0.1});
}

TEST(Comparison, OfALossLessIsBetter) {
  StudySettings settings = quick_settings("random", 4);
  settings.objective = "loss";
  const TestStudy study(settings);
  const Stage stage = final_stage(settings);
  for (const auto& [function, loss] : {std::pair{"relu(x)", 2.0}, {"swish(x)", 1.0}}) {
    for (std::int64_t repeat = 0; repeat < 3; ++repeat) {
      study.store->add_run({.group = stage_group(stage),
                            .expression = function,
                            .key = FunctionKeys()(parse(function)).canonical,
                            .repeat = repeat,
                            .outcome = {.scores = {-loss - 0.01 * static_cast<double>(repeat)}}});
    }
  }
  const Comparison c = compare(*study.store, stage, question({"relu(x)", "swish(x)"}, "relu(x)"));
  EXPECT_EQ(c.rows[0].function.expression, "swish(x)");
  EXPECT_NEAR(c.rows[0].summary.mean, 1.01, 1e-12);
  EXPECT_NEAR(c.rows[0].difference, -1, 1e-12);
  EXPECT_LT(c.rows[0].difference_interval.low, c.rows[0].difference_interval.high);
  EXPECT_LT(c.rows[0].welch.p, 0.001);
}

TEST(Comparison, NoMoreRunsThanAskedFor) {
  const Runs runs;
  runs.add("relu(x)", {0.1, 0.2, 0.3});
  ComparisonQuestion asked = question({"relu(x)"}, "");
  asked.repeats = 2;
  EXPECT_EQ(compare(runs.store(), runs.stage, asked).rows[0].scores, (std::vector<double>{0.1, 0.2}));
}

TEST(Comparison, Stars) {
  EXPECT_EQ(stars(0.001), "***");
  EXPECT_EQ(stars(0.002), "**");
  EXPECT_EQ(stars(0.05), "*");
  EXPECT_EQ(stars(0.051), "");
  EXPECT_EQ(stars(std::nan("")), "");
}

TEST(Stage, JobsAreWhatTheStoreDoesNotHave) {
  const Runs runs;
  runs.add("relu(x)", {0.1});
  const std::vector<StageJob> jobs =
      missing_jobs(runs.store(), runs.stage, {"relu(x)", "max(elu(x),tanh(x))", "max(tanh(x),elu(x))"}, 2);
  std::vector<std::pair<std::string, std::int64_t>> list;
  for (const StageJob& job : jobs) list.emplace_back(job.expression, job.repeat);
  // The last two are one function, evaluated once.
  EXPECT_EQ(list, (std::vector<std::pair<std::string, std::int64_t>>{
                      {"max(elu(x),tanh(x))", 0}, {"relu(x)", 1}, {"max(elu(x),tanh(x))", 1}}));
}

TEST(Stage, ResultsUnderOtherConditionsAreOthers) {
  StudySettings settings;
  settings.train["epochs"] = "2";
  settings.subset = 100;
  const std::string full = stage_group(final_stage(settings));
  EXPECT_NE(full, stage_group(rerank_stage(settings)));
  settings.full_epochs = 3;
  EXPECT_NE(full, stage_group(final_stage(settings)));
  EXPECT_NE(stage_group(transfer_stage(settings, {.net = "resnet-mini"})),
            stage_group(transfer_stage(settings, {.net = "resnet-mini", .test = true})));
  EXPECT_EQ(group_text(stage_group(final_stage(settings))).text,
            "allcnn-mini on digits, 3 epochs, all training images, test images");
  EXPECT_EQ(group_text("rubbish").text, "rubbish");
}

// A new setting that has its default leaves the text as it is. If this fails because a default has changed, raise the
// version, and keep the old defaults for the old one.
TEST(Stage, ConditionsLeaveOutWhatHasItsDefault) {
  StudySettings settings;
  settings.trials = 1;
  complete_settings(settings);
  settings.full_epochs = 3;
  EXPECT_EQ(stage_group(rerank_stage(settings)),
            R"({"data":"digits","epochs":3,"evaluator":"train","net":"allcnn-mini","stage":"rerank",)"
            R"("train":{"init":"autoinit"},"version":3})");
  settings.seed = 7;
  settings.full_subset = 100;
  EXPECT_EQ(stage_group(final_stage(settings)),
            R"({"data":"digits","epochs":3,"evaluator":"train","net":"allcnn-mini","seed":7,"stage":"final",)"
            R"("subset":100,"test":true,"train":{"init":"autoinit"},"version":3})");
  EXPECT_EQ(group_text(stage_group(final_stage(settings))).text,
            "allcnn-mini on digits, 3 epochs, 100 training images, test images");
}

// The number of epochs of the second network may be another one, by its recipe.
TEST(Stage, EpochsOfSeveralNetworksAreNotMixedUp) {
  StudySettings settings;
  settings.trials = 1;
  settings.net = "allcnn-mini, resnet-v2-56";
  complete_settings(settings);
  const std::string by_recipe = stage_group(rerank_stage(settings));
  settings.full_epochs = nlohmann::json::parse(by_recipe).at("epochs");
  EXPECT_NE(stage_group(rerank_stage(settings)), by_recipe);
}

// Every option of every evaluator: what results are compared by is written down unless it has its default.
TEST(Stage, ConditionsHaveTheOptionsOfEvaluators) {
  for (const EvaluatorRow& evaluator : evaluators()) {
    Stage stage = baseline_stage({.evaluator = std::string(evaluator.name)});
    const auto conditions = [&] { return nlohmann::json::parse(stage_group(stage)); };
    const nlohmann::json usual = conditions();
    for (const EvaluatorField& field : evaluator.fields) {
      EXPECT_FALSE(usual.contains(field.name)) << field.name;
      stage.settings.evaluate = {{std::string(field.name), "another value"}};
      EXPECT_EQ(conditions().contains(field.name), field.traits.is_identity) << field.name;
    }
  }
}

TEST(SpectrumConditions, LeaveOutWhatHasItsDefault) {
  StudySettings settings;
  settings.trials = 1;
  complete_settings(settings);
  EXPECT_EQ(spectrum_conditions(settings).group, "fisher 2: allcnn-mini on digits");
  settings.seed = 5;
  settings.subset = 300;
  EXPECT_EQ(spectrum_conditions(settings, {.batch = 7}).group,
            "fisher 2: allcnn-mini on digits, batch 7, seed 5, subset 300");
}

// A study as the version before wrote it.
TEST(Study, FindsRunsAndSpectraOfOlderVersions) {
  StudySettings settings;
  settings.trials = 1;
  settings.seed = 5;
  settings.subset = 300;
  settings.full_epochs = 3;
  complete_settings(settings);
  const TestStudy study(settings);
  const std::string old_spectra =
      "fisher: allcnn-mini on digits, batch 128, batches 1, draws 1, labels model, init autoinit, normalise standard, "
      "seed 5, subset 300";
  const std::string old_runs =
      R"({"data":"digits","epochs":3,"evaluator":"train","net":"allcnn-mini","objective":"accuracy","recipe":"",)"
      R"("seed":5,"stage":"final","subset":0,"test":true,"train":{"epochs":"3","init":"autoinit"},"validation":0})";
  const std::string second_runs =
      R"({"data":"digits","epochs":3,"evaluator":"train","net":"allcnn-mini","seed":5,"stage":"final","test":true,)"
      R"("train":{"epochs":"3","init":"autoinit"},"version":2})";
  study.store->add_features({.group = old_spectra, .expression = "relu(x)", .key = "k", .values = {1}});
  study.store->add_run({.group = old_runs, .expression = "relu(x)", .key = "k", .outcome = {.scores = {0.5}}});
  study.store->add_run({.group = second_runs, .expression = "tanh(x)", .key = "l", .outcome = {.scores = {0.5}}});
  study.store->add_run({.group = "by hand", .expression = "relu(x)", .key = "k", .outcome = {.scores = {0.5}}});
  for (int i = 0; i < 2; ++i) {
    const OpenStudy open = open_study(study.place);
    EXPECT_EQ(open.store->feature_keys(spectrum_conditions(settings).group), std::vector<std::string>{"k"});
    EXPECT_EQ(open.store->runs(stage_group(final_stage(settings))).size(), 2u)
        << open.store->run_groups()[0] << " is not " << stage_group(final_stage(settings));
    EXPECT_EQ(open.store->runs("by hand").size(), 1u);
  }
}

// The page of a study reads its tables by the groups that the store has. What these leave out is not what the study
// trains with.
TEST(Stage, IsFoundByItsGroup) {
  StudySettings settings;
  settings.trials = 1;
  settings.subset = 300;
  settings.recipe = "mini";
  settings.train["epochs"] = "2";
  for (const auto& [net, data] : {std::pair("allcnn-mini", "digits"), std::pair("allcnn-mini, resnet-mini", "digits"),
                                  std::pair("allcnn-mini", "digits, fashion-mnist")}) {
    settings.net = net;
    settings.data = data;
    complete_settings(settings);
    for (const std::uint64_t full_epochs : {0, 3}) {
      settings.full_epochs = full_epochs;
      for (const Stage& stage : {baseline_stage(settings), rerank_stage(settings), final_stage(settings),
                                 transfer_stage(settings, {.net = "resnet-mini", .test = true}),
                                 transfer_stage(settings, {.data = "fashion-mnist"})}) {
        const std::string group = stage_group(stage);
        const std::optional<Stage> found = stage_of_group(group, settings);
        ASSERT_TRUE(found) << group;
        EXPECT_EQ(stage_group(*found), group);
        EXPECT_EQ(found->test, stage.test);
      }
    }
  }
  const StudySettings quick = quick_settings("random", 4);
  EXPECT_TRUE(stage_of_group(stage_group(rerank_stage(quick)), quick));
  EXPECT_FALSE(stage_of_group(stage_group(rerank_stage(quick)), settings));
  for (const char* other : {"rubbish", "[1]", "{}", R"({"stage":"final","net":"nobody"})"}) {
    EXPECT_FALSE(stage_of_group(other, settings)) << other;
  }
}

TEST(Stage, OldConditionsOfEvaluatorsThatDoNotTrain) {
  const auto conditions = [](const std::string& more) {
    return R"({"evaluator":"distance",)" + more + R"("stage":"rerank","target":"tanh"})";
  };
  const std::string now = R"({"evaluator":"distance","stage":"rerank","target":"tanh","version":3})";
  EXPECT_EQ(current_run_group(conditions(R"("objective":"accuracy","seed":0,)")), now);
  EXPECT_EQ(current_run_group(conditions(R"("version":2,)")), now);
  EXPECT_EQ(current_run_group(now), now);
  // What is none of ours, or of a later version, stays.
  for (const std::string other : {"rubbish", "[1]", "{}", R"({"stage":"final"})", R"({"stage":"final","version":"2"})",
                                  R"({"evaluator":"nobody","stage":"final"})",
                                  R"({"evaluator":"distance","seed":0,"stage":"final","version":4})"}) {
    EXPECT_EQ(current_run_group(other), other);
  }
}

TEST(Stage, TheSearchsShorterScheduleIsNotThatOfFinalRuns) {
  StudySettings settings;
  settings.train["epochs"] = "2";
  settings.subset = 100;
  const Stage stage = rerank_stage(settings);
  EXPECT_EQ(stage.settings.subset, 0u);
  EXPECT_FALSE(stage.settings.train.contains("epochs"));
  EXPECT_EQ(baseline_stage(settings).settings.subset, 100u);
}

TEST(Stage, RepeatsHaveSeedsOfTheirOwnWhateverTheFunction) {
  const Stage stage = final_stage(quick_settings("random", 4));
  EXPECT_NE(stage_seed(stage, 0), stage_seed(stage, 1));
  EXPECT_NE(stage_seed(stage, 0), stage_seed(rerank_stage(quick_settings("random", 4)), 0));
}

TEST(Stage, OnlyThatOfTheTestLooksAtTestImages) {
  std::vector<bool> test;
  TestEvaluator evaluator([&](const EvaluationRequest& request) {
    test.push_back(request.test);
    return TrialOutcome{.scores = {1}};
  });
  const StudySettings settings = quick_settings("random", 4);
  for (const Stage& stage : {baseline_stage(settings), rerank_stage(settings), final_stage(settings)}) {
    evaluate_job(stage, {.expression = "relu(x)"}, evaluator, {});
  }
  EXPECT_EQ(test, (std::vector<bool>{false, false, true}));
}

TEST(Stage, OutcomesSurviveTheWayBetweenProcesses) {
  const TrialOutcome outcome = {.status = TrialStatus::kFailed,
                                .scores = {1.0 / 3, -2},
                                .reason = "\"süß\"\n",
                                .metrics = R"({"a":1})",
                                .seconds = 1.5};
  const TrialOutcome back = read_outcome_json(outcome_json(outcome));
  EXPECT_EQ(back.status, outcome.status);
  EXPECT_EQ(back.scores, outcome.scores);
  EXPECT_EQ(back.reason, outcome.reason);
  EXPECT_EQ(back.metrics, outcome.metrics);
  EXPECT_EQ(back.seconds, outcome.seconds);
  EXPECT_THROW(read_outcome_json("{}"), Error);
  EXPECT_THROW(read_outcome_json("no JSON"), Error);
}

TEST(EqualFunctions, SameValues) {
  const auto equal = [](const char* a, const char* b) { return nearly_equal(parse(a), parse(b)); };
  EXPECT_TRUE(equal("relu(x)", "max(x,0*x)"));
  EXPECT_TRUE(equal("x*sigmoid(x)", "swish(x)"));
  EXPECT_TRUE(equal("log_sigmoid(x)", "-softplus(-x)"));
  EXPECT_FALSE(equal("relu(x)", "elu(x)"));
  EXPECT_FALSE(equal("swish(x)", "-swish(x)"));
  // At alpha = 1 they are the same, later no more.
  EXPECT_FALSE(equal("alpha*tanh(x)", "tanh(alpha*x)"));
  EXPECT_FALSE(equal("alpha*tanh(x)", "tanh(x)"));
  EXPECT_TRUE(equal("alpha*relu(x)", "relu(x)*alpha"));
}

}  // namespace
}  // namespace actforge
