#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string_view>
#include <vector>

#include "actforge/search/settings/study_settings.h"
#include "actforge/store/store.h"

namespace actforge {

// All that is known of a trial. Measures are as people read them, under the names of the objectives.
nlohmann::json trial_json(const Trial& trial, const std::vector<Objective>& objectives);

// All trials of a study, in the order of their numbers, as a table with a head or as a list of trial_json(). `write`
// gets the text piece by piece: a study may be large.
using WriteText = std::function<void(std::string_view text)>;
void write_trials_csv(Store& store, const StudySettings& settings, const WriteText& write);
void write_trials_json(Store& store, const StudySettings& settings, const WriteText& write);

}  // namespace actforge
