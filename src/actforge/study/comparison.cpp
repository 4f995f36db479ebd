#include "actforge/study/comparison.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "actforge/base/error.h"
#include "actforge/expr/language/parse.h"
#include "actforge/search/settings/study_inputs.h"
#include "actforge/search/strategies/trial_log.h"

namespace actforge {
namespace {

// What a run without a score counts as; more is better.
std::optional<double> score_of_failure(Store& store, const Stage& stage, const Objective& objective) {
  if (!counts_failures(objective)) return std::nullopt;
  if (!find_evaluator(stage.settings.evaluator).trains) return 0;
  return 1.0 / data_classes(store, study_tasks(stage.settings)[objective.task].data);
}

// Of one function, by repeat; more is better.
ComparisonRow row_of(const std::vector<StudyRun>& runs, const std::string& key, const ComparisonQuestion& question,
                     std::optional<double> failure) {
  ComparisonRow row;
  for (std::int64_t repeat = 0; repeat < question.repeats; ++repeat) {
    const auto run =
        std::find_if(runs.begin(), runs.end(), [&](const StudyRun& r) { return r.key == key && r.repeat == repeat; });
    if (run == runs.end()) continue;
    if (run->outcome.status == TrialStatus::kCompleted && question.objective < run->outcome.scores.size()) {
      row.scores.push_back(run->outcome.scores[question.objective]);
    } else {
      ++row.failed;
      if (failure) row.scores.push_back(*failure);
    }
  }
  return row;
}

// More is better.
double mean_of(const ComparisonRow& row) { return row.scores.empty() ? -INFINITY : summarise_sample(row.scores).mean; }

// Empty where there is none.
std::string best_baseline(const std::vector<ComparisonRow>& rows) {
  const ComparisonRow* best = nullptr;
  for (const ComparisonRow& row : rows) {
    if (row.function.is_baseline && (best == nullptr || mean_of(row) > mean_of(*best))) best = &row;
  }
  return best == nullptr ? "" : best->function.expression;
}

// `baselines`: these are tested as well. Where functions are compared with the best of them, that is not the question,
// and the correction would have to pay for it.
void test_against(Comparison& comparison, const ComparisonRow& reference, bool baselines) {
  std::vector<double> welch, rank;
  for (ComparisonRow& row : comparison.rows) {
    const bool is_reference = row.function.expression == comparison.against;
    if (!is_reference) {
      row.difference = summarise_sample(row.scores).mean - summarise_sample(reference.scores).mean;
      row.difference_interval = difference_interval(row.scores, reference.scores);
    }
    if (!is_reference && (baselines || !row.function.is_baseline)) {
      row.welch = welch_greater(row.scores, reference.scores);
      row.rank = mann_whitney_greater(row.scores, reference.scores);
    }
    welch.push_back(row.welch.p);
    rank.push_back(row.rank.p);
  }
  welch = holm(welch);
  rank = holm(rank);
  for (std::size_t i = 0; i < comparison.rows.size(); ++i) {
    comparison.rows[i].welch_holm = welch[i];
    comparison.rows[i].rank_holm = rank[i];
  }
}

// Until here more is better; people want to see a loss as it is.
void turn_losses(ComparisonRow& row) {
  for (double& score : row.scores) score = -score;
  row.difference = -row.difference;
  row.difference_interval = {.low = -row.difference_interval.high, .high = -row.difference_interval.low};
}

}  // namespace

bool counts_failures(const Objective& objective) { return objective.is_accuracy(); }
Stage stage_for(const Stage& stage, const ComparedFunction& function) {
  return at_rate(at_hyperparameters(stage, function.hyperparameters), function.rate);
}

Comparison compare(Store& store, const Stage& stage, const ComparisonQuestion& question) {
  Comparison comparison = {.stage = stage.name, .conditions = stage_text(stage), .test = stage.test};
  comparison.objective = study_objectives(stage.settings).at(question.objective);
  comparison.against = question.against;
  const std::optional<double> failure = score_of_failure(store, stage, comparison.objective);
  std::map<std::string, std::vector<StudyRun>> runs;
  for (const ComparedFunction& function : question.functions) {
    const std::string group = stage_group(stage_for(stage, function));
    const auto [place, is_new] = runs.try_emplace(group);
    if (is_new) place->second = store.runs(group);
    ComparisonRow row = row_of(place->second, canonical_key(parse(function.expression)), question, failure);
    row.function = function;
    comparison.rows.push_back(std::move(row));
  }
  if (question.against_best) comparison.against = best_baseline(comparison.rows);
  const auto reference = std::find_if(comparison.rows.begin(), comparison.rows.end(), [&](const ComparisonRow& row) {
    return row.function.expression == comparison.against;
  });
  if (reference != comparison.rows.end()) test_against(comparison, ComparisonRow(*reference), !question.against_best);
  std::stable_sort(comparison.rows.begin(), comparison.rows.end(),
                   [&](const ComparisonRow& a, const ComparisonRow& b) { return mean_of(a) > mean_of(b); });
  for (ComparisonRow& row : comparison.rows) {
    if (comparison.objective.less_is_better) turn_losses(row);
    row.summary = summarise_sample(row.scores);
  }
  return comparison;
}

std::string stars(double p) { return p <= 0.001 ? "***" : p <= 0.01 ? "**" : p <= 0.05 ? "*" : ""; }

}  // namespace actforge
