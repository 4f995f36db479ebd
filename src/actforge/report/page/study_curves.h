#pragma once

#include <vector>

#include "actforge/report/page/study_page.h"

namespace actforge {

// What the charts of a study are computed from.

bool has_score(const PageTrial& trial, std::size_t objective = 0);

// Those that have ended, with or without a score, in the order in which they did.
std::vector<const PageTrial*> finished_trials(const StudyPage& page);
// Of those, the ones with a score by the first objective.
std::vector<const PageTrial*> scored_trials(const StudyPage& page);

// The first objective, also where the page names none.
PageObjective first_objective(const StudyPage& page);
bool is_better(double a, double b, const PageObjective& objective);

std::vector<double> best_so_far(const std::vector<double>& scores, const PageObjective& objective);
// Of each score and those before it, `window` in all; of fewer where there are no more.
std::vector<double> moving_average(const std::vector<double>& scores, std::size_t window);

// Those that no other trial beats by one of the first two objectives without losing by the other; from the best to the
// worst by the first.
std::vector<const PageTrial*> pareto_front(const StudyPage& page);

}  // namespace actforge
