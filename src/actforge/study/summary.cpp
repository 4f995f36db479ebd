#include "actforge/study/summary.h"

#include <algorithm>

#include "actforge/base/digits_text.h"
#include "actforge/search/strategies/ranking.h"

namespace actforge {
namespace {

std::vector<Trial> front(Store& store, std::size_t objectives) {
  if (objectives == 1) return store.top(1);
  std::vector<Trial> completed;
  store.each([&](const Trial& trial) {
    if (has_result(trial, objectives)) completed.push_back(trial);
  });
  std::vector<Trial> best;  // the best by the first objective first
  for (const std::int64_t number : best_trials(completed, objectives)) {
    for (const Trial& trial : completed) {
      if (trial.number == number) best.push_back(trial);
    }
  }
  std::stable_sort(best.begin(), best.end(),
                   [](const Trial& a, const Trial& b) { return a.outcome.scores[0] > b.outcome.scores[0]; });
  return best;
}

}  // namespace

std::string progress_text(std::int64_t over, std::uint64_t budget) {
  return std::to_string(over) + (budget >= kMostTrials ? "" : " of " + std::to_string(budget));
}

StudySummary summarise(Store& store, const StudySettings& settings) {
  const std::vector<Objective> objectives = study_objectives(settings);
  return {.counts = store.counts(),
          .budget = settings.trials,
          .seconds = store.seconds(),
          .objectives = objectives,
          .best = front(store, objectives.size())};
}

double shown_score(const Objective& objective, double score) {
  return objective.measure == "accuracy" ? score : -score;
}

std::string score_text(const Objective& objective, double score) {
  return with_digits(shown_score(objective, score), 5);
}

}  // namespace actforge
