#include "actforge/study/trial_export.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "actforge/base/csv.h"
#include "actforge/study/trial_lineage.h"
#include "tests/search/study_helpers.h"

namespace actforge {
namespace {

std::string csv_of(const TestStudy& study) {
  std::string text;
  write_trials_csv(*study.store, study.settings, [&](std::string_view part) { text += part; });
  return text;
}

nlohmann::json json_of(const TestStudy& study) {
  std::string text;
  write_trials_json(*study.store, study.settings, [&](std::string_view part) { text += part; });
  return nlohmann::json::parse(text);
}

// Fails once, with a reason that has all that a table must quote.
TrialOutcome half_or_broken(const EvaluationRequest& request) {
  if (request.trial == 1) return {.status = TrialStatus::kFailed, .reason = "no, \"it\"\nbroke"};
  return {.scores = {0.5}, .metrics = R"({"f1":0.25})"};
}

TEST(TrialExport, TheTableHasAFieldForEveryTitle) {
  const TestStudy study(quick_settings("pangaea", 12));
  study.run(half_or_broken);
  const std::vector<std::vector<std::string>> rows = parse_csv(csv_of(study));
  ASSERT_EQ(rows.size(), 13u);
  for (const auto& row : rows) EXPECT_EQ(row.size(), rows[0].size());
  const auto column = [&](const std::string& title) {
    return static_cast<std::size_t>(std::ranges::find(rows[0], title) - rows[0].begin());
  };
  for (std::size_t i = 0; i < 12; ++i) {
    const Trial trial = study.trial(static_cast<std::int64_t>(i));
    const auto& row = rows[i + 1];
    EXPECT_EQ(row[column("number")], std::to_string(i));
    EXPECT_EQ(row[column("expression")], trial.plan.expression);
    EXPECT_EQ(row[column("status")], trial_status_name(trial.status()));
    EXPECT_EQ(row[column("score")], i == 1 ? "" : "0.5");
    EXPECT_EQ(row[column("accuracy")], i == 1 ? "" : "0.5");
    EXPECT_EQ(row[column("reason")], trial.outcome.reason);
    EXPECT_EQ(row[column("seed")], std::to_string(trial.plan.seed));
  }
}

TEST(TrialExport, TheListHasWhatIsKnownOfEachTrial) {
  const TestStudy study(quick_settings("random", 3));
  EXPECT_EQ(json_of(study), nlohmann::json::array());
  study.run(half_or_broken);
  const nlohmann::json list = json_of(study);
  ASSERT_EQ(list.size(), 3u);
  EXPECT_EQ(list[0]["objectives"]["accuracy"], 0.5);
  EXPECT_EQ(list[0]["metrics"]["f1"], 0.25);
  EXPECT_EQ(list[1]["score"], nullptr);
  EXPECT_EQ(list[1]["reason"], "no, \"it\"\nbroke");
  EXPECT_EQ(list[2]["expression"], study.trial(2).plan.expression);
}

TEST(TrialExport, OfALossPeopleSeeNoMinusSign) {
  const Objective loss = {.measure = "loss", .name = "loss", .less_is_better = true};
  const Trial trial = {.number = 0, .outcome = {.scores = {-0.25}}};
  const nlohmann::json json = trial_json(trial, {loss});
  EXPECT_EQ(json["score"], -0.25);
  EXPECT_EQ(json["objectives"]["loss"], 0.25);
}

TEST(TrialLineage, LeadsBackToATrialWithoutParents) {
  const TestStudy study(quick_settings("pangaea", 40));
  const std::unique_ptr<Evaluator> distance = make_evaluator(study.settings);
  study.run(*distance);
  const std::optional<Trial> best = best_trial(*study.store, study.settings);
  ASSERT_TRUE(best);
  study.store->each([&](const Trial& trial) {
    if (!trial.outcome.scores.empty()) {
      EXPECT_LE(trial.outcome.scores[0], best->outcome.scores[0]);
    }
    Trial child = trial;
    for (const Trial& parent : trial_ancestors(*study.store, trial)) {
      EXPECT_EQ(child.plan.parents.at(0), parent.number);
      child = parent;
    }
    EXPECT_TRUE(child.plan.parents.empty());
  });
  EXPECT_TRUE(trial_repeats(*study.store, 0).empty());
}

TEST(TrialLineage, OfAStudyWithoutScoresThereIsNoBest) {
  const TestStudy study(quick_settings("random", 2));
  EXPECT_FALSE(best_trial(*study.store, study.settings));
}

}  // namespace
}  // namespace actforge
