#pragma once

#include <optional>
#include <string>
#include <vector>

#include "actforge/search/settings/study_settings.h"
#include "actforge/store/store.h"
#include "actforge/study/scoreboard.h"
#include "actforge/study/strategy_switch.h"

namespace actforge {

// How far a study is.
struct StudySummary {
  TrialCounts counts = {};
  std::uint64_t budget = 0;
  double seconds = 0;
  std::string require = {};  // what refused functions do not meet
  std::vector<Objective> objectives = {};
  std::vector<Standing> best = {};     // the best one; with several objectives those that none is better than
  std::vector<Standing> known = {};    // the baseline and the well-known functions that were measured, the best first
  std::optional<Standing> found = {};  // the best of the others
  std::vector<Standing> shown = {};    // shown_standings()
  StudyVerdict verdict = {};
  std::vector<StrategySpan> strategies = {};
  StrategyOptions options = {};              // of the last of them
  std::string caution = {};                  // strategy_caution()
  std::string last_reason = {};              // why the last trial that failed did; empty where any has a score
  std::vector<std::int64_t> set_aside = {};  // numbers of trials
  std::string set_aside_reason = {};         // of the last trial that was set aside
};
StudySummary summarise(Store& store, const StudySettings& settings);

// "12 of 100", or "12" where there is no limit.
std::string progress_text(std::int64_t over, std::uint64_t budget);

// A reason of several lines in one: what happened, and its last line, where Python has the error behind a trace.
std::string reason_line(const std::string& reason);

// A score as people want to see it: a loss without its minus sign.
double shown_score(const Objective& objective, double score);
// The same with five digits.
std::string score_text(const Objective& objective, double score);

}  // namespace actforge
