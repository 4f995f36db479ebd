#pragma once

#include <cstdint>
#include <vector>

#include "actforge/search/settings/study_settings.h"

namespace actforge {

// Successive halving without waiting for others (ASHA, in its form that stops trials; Li et al. 2020): at the epochs r,
// rη, rη², ... a trial goes on where it is among the best 1/η of those that were there so far.
bool is_rung(const StudySettings& settings, std::int64_t epoch);
// `others`: scores of other trials at this epoch. With fewer than η of them in all, everybody goes on.
bool goes_on(const StudySettings& settings, double score, const std::vector<double>& others);

}  // namespace actforge
