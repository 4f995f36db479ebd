#include "actforge/report/page/study_curves.h"

#include <algorithm>
#include <cmath>

namespace actforge {

bool has_score(const PageTrial& trial, std::size_t objective) {
  return objective < trial.scores.size() && std::isfinite(trial.scores[objective]);
}

std::vector<const PageTrial*> finished_trials(const StudyPage& page) {
  std::vector<const PageTrial*> finished;
  for (const PageTrial& trial : page.trials) {
    if (trial.finish_order >= 0) finished.push_back(&trial);
  }
  std::stable_sort(finished.begin(), finished.end(),
                   [](const PageTrial* a, const PageTrial* b) { return a->finish_order < b->finish_order; });
  return finished;
}

std::vector<const PageTrial*> scored_trials(const StudyPage& page) {
  std::vector<const PageTrial*> scored = finished_trials(page);
  std::erase_if(scored, [](const PageTrial* trial) { return !has_score(*trial); });
  return scored;
}

PageObjective first_objective(const StudyPage& page) {
  return page.objectives.empty() ? PageObjective{.name = "score"} : page.objectives[0];
}

bool is_better(double a, double b, const PageObjective& objective) { return objective.less_is_better ? a < b : a > b; }

std::vector<double> best_so_far(const std::vector<double>& scores, const PageObjective& objective) {
  std::vector<double> best;
  best.reserve(scores.size());
  for (const double score : scores) {
    best.push_back(best.empty() || is_better(score, best.back(), objective) ? score : best.back());
  }
  return best;
}

std::vector<double> moving_average(const std::vector<double>& scores, std::size_t window) {
  std::vector<double> averages;
  // Summed again each time: a running sum would keep the rounding error of one huge loss for ever.
  for (std::size_t i = 0; i < scores.size() && window > 0; ++i) {
    const std::size_t count = std::min(window, i + 1);
    double average = 0;
    for (std::size_t k = i + 1 - count; k <= i; ++k) average += scores[k] / static_cast<double>(count);
    averages.push_back(average);
  }
  return averages;
}

std::vector<const PageTrial*> pareto_front(const StudyPage& page) {
  if (page.objectives.size() < 2) return {};
  std::vector<const PageTrial*> front = scored_trials(page);
  std::erase_if(front, [](const PageTrial* trial) { return !has_score(*trial, 1); });
  std::stable_sort(front.begin(), front.end(), [&](const PageTrial* a, const PageTrial* b) {
    if (a->scores[0] != b->scores[0]) return is_better(a->scores[0], b->scores[0], page.objectives[0]);
    return is_better(a->scores[1], b->scores[1], page.objectives[1]);
  });
  std::size_t kept = 0;
  for (const PageTrial* trial : front) {
    if (kept == 0 || is_better(trial->scores[1], front[kept - 1]->scores[1], page.objectives[1])) front[kept++] = trial;
  }
  front.resize(kept);
  return front;
}

}  // namespace actforge
