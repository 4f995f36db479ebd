#pragma once

#include <vector>

#include "tools/actforge/search/options.h"

namespace actforge::tool {

nlohmann::json summary_json(const StudySummary& summary);
void print_summary(const StudySummary& summary);

// A table of functions.
void print_standings(const std::vector<Standing>& standings, const std::vector<Objective>& objectives);
// What trial_json() says, with how often the function was evaluated.
nlohmann::json standing_json(const Standing& standing, const std::vector<Objective>& objectives);

}  // namespace actforge::tool
