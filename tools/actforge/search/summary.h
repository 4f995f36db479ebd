#pragma once

#include <vector>

#include "tools/actforge/search/options.h"

namespace actforge::tool {

nlohmann::json summary_json(const StudySummary& summary);
void print_summary(const StudySummary& summary);

// "strategy pangaea (population 4, sample 2, threshold 0.2)": with what it decides by the study, if anything.
std::string strategy_text(const std::string& strategy, const StrategyOptions& options);

// A table of functions.
void print_standings(const std::vector<Standing>& standings, const std::vector<Objective>& objectives);
// What trial_json() says, with how often the function was evaluated.
nlohmann::json standing_json(const Standing& standing, const std::vector<Objective>& objectives);

}  // namespace actforge::tool
