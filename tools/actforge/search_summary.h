#pragma once

#include <vector>

#include "actforge/search_options.h"

namespace actforge::tool {

// How far a study is.
struct StudySummary {
  TrialCounts counts = {};
  std::uint64_t budget = 0;
  double seconds = 0;
  std::vector<Objective> objectives = {};
  std::vector<Trial> best = {};  // the best one; with several objectives those that none is better than
};
StudySummary summarise(Store& store, const StudySettings& settings);
nlohmann::json summary_json(const StudySummary& summary);
void print_summary(const StudySummary& summary);

// "12 of 100", or "12" where there is no limit.
std::string progress_text(std::int64_t over, std::uint64_t budget);

// A table of trials.
void print_trials(const std::vector<Trial>& trials, const std::vector<Objective>& objectives);

}  // namespace actforge::tool
