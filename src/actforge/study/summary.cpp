#include "actforge/study/summary.h"

#include "actforge/base/digits_text.h"

namespace actforge {
std::string progress_text(std::int64_t over, std::uint64_t budget) {
  return std::to_string(over) + (budget >= kMostTrials ? "" : " of " + std::to_string(budget));
}

StudySummary summarise(Store& store, const StudySettings& settings) {
  const std::vector<Objective> objectives = study_objectives(settings);
  return {.counts = store.counts(),
          .budget = settings.trials,
          .seconds = store.seconds(),
          .require = settings.require,
          .objectives = objectives,
          .best = best_standings(store, settings)};
}

double shown_score(const Objective& objective, double score) {
  return objective.measure == "accuracy" ? score : -score;
}

std::string score_text(const Objective& objective, double score) {
  return with_digits(shown_score(objective, score), 5);
}

}  // namespace actforge
