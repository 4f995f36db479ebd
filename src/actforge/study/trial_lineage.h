#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "actforge/search/settings/study_settings.h"
#include "actforge/store/store.h"

namespace actforge {

// The first trial of the study's best function, with its own score, not the mean of all; nothing where none has a
// score.
std::optional<Trial> best_trial(Store& store, const StudySettings& settings);
// First parents, from the trial's own back to one that has none.
std::vector<Trial> trial_ancestors(Store& store, const Trial& trial);
// The trials that repeat this one, in the order of their numbers.
std::vector<Trial> trial_repeats(Store& store, std::int64_t number);

}  // namespace actforge
