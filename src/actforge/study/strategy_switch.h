#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "actforge/search/settings/study_settings.h"
#include "actforge/store/store.h"

namespace actforge {

// A strategy of a study, and the number of the trial from which on it chooses.
struct StrategySpan {
  std::string strategy = {};
  std::int64_t first = 0;
};

// The strategies that a study has had, in order; the last is that of its settings.
std::vector<StrategySpan> strategy_spans(Store& store, const StudySettings& settings);

// Where the last of them begins.
std::int64_t strategy_begin(Store& store, const StudySettings& settings);

// Notes that the study goes on with another strategy, or with other options of the same one; to be kept in the settings
// afterwards. Throws Error (kUsage) where there are no trials left for it, or somebody is running the study: workers
// that have begun choose as they did before.
void note_switch(Store& store, const StudySettings& from, const StudySettings& to);

}  // namespace actforge
