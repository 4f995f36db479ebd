#include "actforge/study/scoreboard.h"

#include <gtest/gtest.h>

#include <cmath>

#include "actforge/expr/language/parse.h"
#include "actforge/search/strategies/fresh.h"
#include "actforge/study/finalists.h"
#include "actforge/study/stage.h"
#include "actforge/study/study_page_of.h"
#include "actforge/study/summary.h"
#include "tests/search/study_helpers.h"

namespace actforge {
namespace {

using Kind = StudyVerdict::Kind;

// A study whose trials and baseline are written by hand. With a command as evaluator scores are noisy.
class Board {
 public:
  explicit Board(bool varies, const std::string& objective = "accuracy", const std::string& with = "")
      : study(settings_of(varies, objective, with)) {}

  void add(const std::string& expression, double score, std::int64_t repeat_of = -1,
           const Hyperparameters& values = {}) {
    const FunctionKey key = joint_key(FunctionKeys()(parse(expression)), values);
    TrialPlan plan = {.expression = expression, .key = key.canonical, .fingerprint = key.fingerprint};
    plan.hyperparameters = values;
    if (repeat_of >= 0) {
      plan.key = repeat_key(key.canonical, static_cast<std::size_t>(++repeats_));
      plan.fingerprint.clear();
      plan.repeat_of = repeat_of;
    }
    ClaimRequest request = {.worker = name_, .budget = 1000};
    const Claim claim = study.store->claim(request, [&](const auto&, std::int64_t) { return Proposal{.plan = plan}; });
    study.store->finish(claim.trial, name_, {.scores = {score}});
  }
  void baseline(const std::vector<double>& scores) const {
    const Stage stage = baseline_stage(study.settings);
    for (std::size_t i = 0; i < scores.size(); ++i) {
      study.store->add_run({.group = stage_group(stage),
                            .expression = "relu(x)",
                            .key = canonical_key(parse("relu(x)")),
                            .repeat = static_cast<std::int64_t>(i),
                            .outcome = {.scores = {scores[i]}}});
    }
  }
  Scoreboard board() const { return scoreboard(*study.store, study.settings); }
  StudyVerdict verdict() const { return study_verdict(board(), study_objectives(study.settings)[0]); }

  TestStudy study;

 private:
  static StudySettings settings_of(bool varies, const std::string& objective, const std::string& with) {
    StudySettings settings;
    settings.trials = 100;
    settings.objective = objective;
    settings.evaluator = varies ? "command" : "distance";
    settings.evaluate[varies ? "command" : "target"] = varies ? "echo {expr}" : "tanh(x)";
    if (!with.empty()) settings.evaluate["command"] = "echo {expr} {rate}";
    settings.with = with;
    complete_settings(settings);
    return settings;
  }

  WorkerName name_ = {.name = "w", .version = "1", .lease = 60};
  int repeats_ = 0;
};

std::vector<std::string> rows_of(const std::vector<Standing>& rows) {
  std::vector<std::string> list;
  for (const Standing& row : rows) {
    list.push_back(row.trial.plan.expression + " " + row.known_as + (row.is_baseline ? " (baseline)" : ""));
  }
  return list;
}

// A function that was tried with another rate than the known one is not said to beat it; known functions are known
// whatever they were tried with, and each is tested once.
TEST(Scoreboard, ComparesNothingThatWasTriedWithOtherHyperparameters) {
  Board study(true, "accuracy", "rate=log:0.001..1");
  study.baseline({0.70, 0.70, 0.71});
  study.add("sin(x)", 0.9, -1, {{"rate", "0.5"}});
  study.add("relu(x)", 0.8, -1, {{"rate", "0.1"}});
  for (int i = 0; i < 40; ++i) study.add("sin(x)", 0.85, -1, {{"rate", "0.4" + std::to_string(10 + i)}});
  study.add("erf(x)", 0.6, -1, {{"rate", "0.1"}});
  const StudyVerdict verdict = study.verdict();
  EXPECT_EQ(verdict.kind, Kind::kUnsure);
  EXPECT_TRUE(verdict.text.starts_with("No function found so far beats relu(x)")) << verdict.text;
  EXPECT_NE(verdict.text.find("rate=0.5"), std::string::npos) << verdict.text;
  const std::vector<Standing> known = known_standings(study.board());
  ASSERT_EQ(known.size(), 2U);
  EXPECT_EQ(known[0].known_as, "ReLU");
  EXPECT_EQ(known[0].trial.number, 1);
  const auto best = best_functions(*study.study.store, study.study.settings, 3, {});
  ASSERT_EQ(best.size(), 3U);
  EXPECT_EQ(best[2].expression, "erf(x)");
}

TEST(Scoreboard, KnowsTheBaselineAndWellKnownFunctions) {
  Board study(false);
  study.add("sin(x)", 0.5);
  study.add("mul(x,sigmoid(x))", 0.7);
  study.add("cos(x)", 0.8);
  study.add("tanh(x)", 0.4);
  study.baseline({0.6});
  const Scoreboard board = study.board();
  EXPECT_EQ(rows_of(board.rows), (std::vector<std::string>{"cos(x) ", "mul(x,sigmoid(x)) Swish",
                                                           "relu(x) ReLU (baseline)", "sin(x) ", "tanh(x) tanh"}));
  EXPECT_EQ(rows_of(known_standings(board)).size(), 3u);
  EXPECT_EQ(board.rows[2].trial.number, -1);
  EXPECT_EQ(best_found(board)->trial.plan.expression, "cos(x)");
  EXPECT_EQ(rows_of(shown_standings(board, {})).size(), 4u);  // all but sin
}

TEST(Scoreboard, TheBaselinesRunsCountWithItsTrial) {
  Board study(true);
  study.baseline({0.5, 0.6, 0.7});
  study.add("max(x,0)", 0.2);
  const Scoreboard board = study.board();
  ASSERT_EQ(board.rows.size(), 1u);
  EXPECT_EQ(board.rows[0].runs, 4u);
  EXPECT_DOUBLE_EQ(board.rows[0].trial.outcome.scores[0], 0.5);
  EXPECT_NEAR(board.noise, 0.1, 1e-12);  // of its own runs
  EXPECT_EQ(board.degrees, 2);
}

TEST(Verdict, OfExactScores) {
  Board study(false);
  EXPECT_EQ(study.verdict().kind, Kind::kOpen);
  study.add("sin(x)", 0.5);
  EXPECT_EQ(study.verdict().text, "");  // nothing to compare with
  study.baseline({0.6});
  EXPECT_EQ(study.verdict().kind, Kind::kBehind);
  EXPECT_EQ(study.verdict().text,
            "No function found so far beats relu(x), the best of the well-known functions measured. It has 0.6, and "
            "the best function found, sin(x), 0.5.");
  study.add("swish(x)", 0.65);
  study.add("cos(x)", 0.62);
  EXPECT_TRUE(study.verdict().text.starts_with("No function found so far beats swish(x), the best of "));
  study.add("sin(sin(x))", 0.66);
  EXPECT_EQ(study.verdict().kind, Kind::kAhead);
  EXPECT_EQ(study.verdict().text,
            "sin(sin(x)) beats swish(x), the best of the well-known functions measured: 0.66 against 0.65.");
}

TEST(Verdict, OfLosses) {
  Board study(false, "loss");
  study.add("sin(x)", -0.5);
  study.baseline({-0.4});
  EXPECT_TRUE(study.verdict().text.ends_with("It has 0.4, and the best function found, sin(x), 0.5."));
  study.add("cos(x)", -0.3);
  EXPECT_TRUE(study.verdict().text.ends_with(": 0.3 against 0.4.")) << study.verdict().text;
}

// One lucky score is no discovery.
TEST(Verdict, KnowsTheNoise) {
  Board study(true);
  study.baseline({0.60, 0.62, 0.64});
  study.add("sin(x)", 0.66);
  EXPECT_EQ(study.verdict().kind, Kind::kUnsure);
  EXPECT_TRUE(study.verdict().text.starts_with("No function found so far beats relu(x), ")) << study.verdict().text;
  EXPECT_NE(study.verdict().text.find("within the noise: it is better by -"), std::string::npos);
  for (int i = 0; i < 8; ++i) study.add("sin(x)", i % 2 == 0 ? 0.69 : 0.67, 0);
  EXPECT_EQ(study.verdict().kind, Kind::kAhead);
  EXPECT_TRUE(study.verdict().text.starts_with("sin(x) beats relu(x), ")) << study.verdict().text;
}

TEST(Verdict, SaysWhereTheNoiseIsNotKnown) {
  Board study(true);
  study.add("tanh(x)", 0.60);
  study.add("sin(x)", 0.66);
  EXPECT_EQ(study.verdict().kind, Kind::kUnsure);
  EXPECT_TRUE(study.verdict().text.ends_with("by single evaluations whose noise is not known."));
}

TEST(Verdict, TheReportLeadsWithIt) {
  Board study(false);
  study.add("sin(x)", 0.5);
  study.baseline({0.6});
  const OpenStudy open = open_study(study.study.place);
  const StudyPage page = study_page_of(open, study.study.place, false);
  EXPECT_EQ(page.verdict, summarise(*open.store, open.settings).verdict.text);
  const std::string html = study_html(page);
  const std::size_t at = html.find("No function found so far beats relu(");
  ASSERT_NE(at, std::string::npos);
  EXPECT_LT(at, html.find("class=\"figures\""));
  EXPECT_GT(at, html.find("<h1>"));
}

}  // namespace
}  // namespace actforge
