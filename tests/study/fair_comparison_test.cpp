// Final tests that are fair: all common functions as rivals, each at its own best learning rate, a second look.
#include <gtest/gtest.h>

#include "actforge/expr/language/parse.h"
#include "actforge/search/strategies/known_functions.h"
#include "actforge/study/comparison_table.h"
#include "actforge/study/rate_sweep.h"
#include "tests/search/study_helpers.h"
#include "tests/study/small_training.h"

namespace actforge {
namespace {

void keep_run(Store& store, const Stage& stage, const std::string& function, std::int64_t repeat,
              std::optional<double> score) {
  TrialOutcome outcome;
  if (score) {
    outcome.scores = {*score};
  } else {
    outcome = {.status = TrialStatus::kFailed, .reason = "diverged"};
  }
  store.add_run({.group = stage_group(stage),
                 .expression = function,
                 .key = canonical_key(parse(function)),
                 .repeat = repeat,
                 .outcome = outcome});
}

TEST(CommonFunctions, AreThoseThatANewOneHasToBeat) {
  std::vector<std::string> names;
  for (const KnownFunction& known : common_functions()) {
    names.emplace_back(known.name);
    EXPECT_NO_THROW(parse(known.expression)) << known.name;
  }
  EXPECT_EQ(names, (std::vector<std::string>{"ReLU", "Leaky ReLU", "ELU", "SELU", "GELU", "Swish", "Mish", "Softplus",
                                             "tanh"}));
}

TEST(FairComparison, IsWithTheBestBaseline) {
  const TestStudy study(small_training());
  const Stage stage = final_stage(study.settings);
  const auto runs = [&](const std::string& function, std::vector<double> scores) {
    for (std::size_t i = 0; i < scores.size(); ++i) {
      keep_run(*study.store, stage, function, static_cast<std::int64_t>(i), scores[i]);
    }
  };
  runs("relu(x)", {0.70, 0.71, 0.72});
  runs("mish(x)", {0.80, 0.81, 0.82});
  runs("sin(x)", {0.90, 0.91, 0.92});
  ComparisonQuestion question = {.functions = {{.expression = "sin(x)", .trial = 3},
                                               {.expression = "relu(x)", .is_baseline = true},
                                               {.expression = "mish(x)", .is_baseline = true}},
                                 .against_best = true,
                                 .repeats = 3};
  const Comparison comparison = compare(*study.store, stage, question);
  EXPECT_EQ(comparison.against, "mish(x)");
  EXPECT_LT(comparison.rows[0].welch_holm, 0.01);
  // One question is asked, so one test is paid for.
  EXPECT_EQ(comparison.rows[0].welch_holm, comparison.rows[0].welch.p);
  EXPECT_TRUE(std::isnan(comparison.rows[2].welch.p));
  EXPECT_NEAR(comparison.rows[2].difference, -0.1, 1e-12);
  const std::string verdict = comparison_verdict(comparison);
  EXPECT_TRUE(verdict.starts_with("sin(x) is better than mish(x), the best known function here: by +")) << verdict;
}

TEST(FairComparison, SaysWhereNothingWasFound) {
  const TestStudy study(small_training());
  const Stage stage = final_stage(study.settings);
  for (std::int64_t i = 0; i < 3; ++i) {
    keep_run(*study.store, stage, "relu(x)", i, 0.8 + 0.01 * static_cast<double>(i));
    keep_run(*study.store, stage, "sin(x)", i, i == 0 ? std::nullopt : std::optional(0.95));
  }
  const ComparisonQuestion question = {
      .functions = {{.expression = "sin(x)", .trial = 3}, {.expression = "relu(x)", .is_baseline = true}},
      .against_best = true,
      .repeats = 3};
  const Comparison comparison = compare(*study.store, stage, question);
  const std::string verdict = comparison_verdict(comparison);
  EXPECT_TRUE(verdict.starts_with("No function of the study is better than relu(x): the best, sin(x), differs by"))
      << verdict;
  EXPECT_TRUE(verdict.ends_with("Of its 3 runs, 1 failed.")) << verdict;
}

TEST(FairComparison, LooksAtTestImagesAreCountedByRate) {
  const TestStudy study(small_training());
  const StagePlan plan = {.stage = final_stage(study.settings), .functions = {"relu(x)"}, .repeats = 1};
  std::vector<ComparedFunction> functions = {{.expression = "relu(x)"}};
  EXPECT_EQ(note_look_at_rates(*study.store, plan, functions), 1u);
  EXPECT_EQ(note_look_at_rates(*study.store, plan, functions), 1u);  // the same
  keep_run(*study.store, plan.stage, "relu(x)", 0, 0.8);
  functions[0].rate = 0.5;
  EXPECT_EQ(note_look_at_rates(*study.store, plan, functions), 2u);
}

TEST(FairComparison, OneRunSaysNothingOfHowSureItIs) {
  const TestStudy study(small_training());
  const Stage stage = final_stage(study.settings);
  keep_run(*study.store, stage, "relu(x)", 0, 0.8);
  keep_run(*study.store, stage, "sin(x)", 0, 0.9);
  const ComparisonQuestion question = {
      .functions = {{.expression = "sin(x)", .trial = 3}, {.expression = "relu(x)", .is_baseline = true}},
      .against_best = true,
      .repeats = 1};
  EXPECT_EQ(comparison_verdict(compare(*study.store, stage, question)),
            "sin(x) looks better, but is not shown to be better than relu(x): by +10.00, and with so few runs "
            "nothing is known of how sure that is.");
}

TEST(Rates, EveryFunctionGetsItsBest) {
  const TestStudy study(small_training());
  const std::vector<double> rates = usual_rates(study.settings);
  ASSERT_EQ(rates.size(), 5u);
  EXPECT_DOUBLE_EQ(rates[4], 16 * rates[0]);
  EXPECT_DOUBLE_EQ(rates[2], learning_rate(rates_stage(study.settings)));
  // relu is best with the second rate; sin diverges in one of two trainings with its best, and takes the one before.
  for (std::size_t r = 0; r < rates.size(); ++r) {
    const Stage stage = at_rate(rates_stage(study.settings), rates[r]);
    for (std::int64_t i = 0; i < 2; ++i) {
      keep_run(*study.store, stage, "relu(x)", i, r == 1 ? 0.8 : 0.7);
      keep_run(*study.store, stage, "sin(x)", i,
               r == 4 && i == 1 ? std::nullopt : std::optional(0.5 + 0.1 * static_cast<double>(r)));
    }
  }
  std::vector<ComparedFunction> functions = {{.expression = "relu(x)"}, {.expression = "sin(x)"}};
  RateSweep sweep = {.rates = rates, .runs = 2};
  // Everything is in the store: nothing is started.
  sweep_rates(*study.store, study.settings, sweep, {.command = {"/bin/false"}}, functions, {});
  EXPECT_EQ(functions[0].rate, rates[1]);
  EXPECT_EQ(functions[1].rate, rates[3]);
  EXPECT_TRUE(at_the_edge(sweep, functions).empty());
  EXPECT_FALSE(widen(sweep, functions));
  functions[0].rate = rates[4];
  EXPECT_EQ(at_the_edge(sweep, functions), std::vector<std::string>{"relu(x)"});
  EXPECT_TRUE(widen(sweep, functions));
  EXPECT_EQ(sweep.rates.size(), 6u);
  EXPECT_DOUBLE_EQ(sweep.rates[5], 2 * rates[4]);
}

// Runs with another learning rate are other runs.
TEST(Rates, AreConditions) {
  const Stage stage = final_stage(small_training());
  EXPECT_NE(stage_group(stage), stage_group(at_rate(stage, 0.123)));
  EXPECT_EQ(stage_group(stage), stage_group(at_rate(stage, std::nullopt)));
  StudySettings settings = quick_settings("random", 4);
  EXPECT_THROW(at_rate(baseline_stage(settings), 0.1), Error);
}

TEST(Confirmation, HasTwiceTheEpochsOrAnotherNetwork) {
  StudySettings settings = small_training();
  settings.full_epochs = 3;
  EXPECT_TRUE(stage_text(confirm_stage(settings)).starts_with("mlp-1-16 on digits, 6 epochs"));
  EXPECT_TRUE(stage_text(confirm_stage(settings, "mlp-2-32")).starts_with("mlp-2-32 on digits, 3 epochs"));
  EXPECT_TRUE(confirm_stage(settings).test);
}

Comparison in_order(const std::vector<std::string>& functions) {
  Comparison comparison;
  for (const std::string& function : functions) comparison.rows.push_back({.function = {.expression = function}});
  return comparison;
}

TEST(Confirmation, SaysWhetherTheOrderHolds) {
  EXPECT_EQ(
      confirmation_text(in_order({"a", "b", "c"}), in_order({"a", "c", "b"})),
      "The order holds at the top: a is the best at both scales; 2 of 3 pairs of functions are in the same order at "
      "both scales.");
  EXPECT_EQ(confirmation_text(in_order({"a", "b", "c"}), in_order({"b", "c", "a"})),
            "The order does not hold: a, the best of the first test, is number 3 of 3 here, and b is the best; 1 of 3 "
            "pairs of functions are in the same order at both scales.");
}

}  // namespace
}  // namespace actforge
