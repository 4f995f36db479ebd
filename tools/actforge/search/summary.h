#pragma once

#include <vector>

#include "tools/actforge/search/options.h"

namespace actforge::tool {

nlohmann::json summary_json(const StudySummary& summary);
void print_summary(const StudySummary& summary);

// A table of trials.
void print_trials(const std::vector<Trial>& trials, const std::vector<Objective>& objectives);

}  // namespace actforge::tool
