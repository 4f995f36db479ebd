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

std::string reason_line(const std::string& reason) {
  const std::size_t first = reason.find('\n'), last = reason.find_last_not_of('\n');
  if (first == std::string::npos || last == std::string::npos || first > last) return reason.substr(0, first);
  const std::size_t begin = reason.rfind('\n', last) + 1;
  const std::string head = reason.substr(0, first), tail = reason.substr(begin, last + 1 - begin);
  return head + (head.ends_with(':') ? " " : " ... ") + tail;
}

double shown_score(const Objective& objective, double score) { return objective.turned(score); }

std::string score_text(const Objective& objective, double score) {
  return with_digits(shown_score(objective, score), 5);
}

}  // namespace actforge
