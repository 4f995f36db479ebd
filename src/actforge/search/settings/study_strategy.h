#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "actforge/search/settings/study_settings.h"
#include "actforge/search/strategies/trial_log.h"

namespace actforge {

// The strategy of a study: what is left open about it, and how it changes.

// Steps of complete_settings(): the strategy where nobody chose one; the share of repeats; the options of the strategy.
// `has_budget`: somebody chose the number of trials. Throw Error (kUsage).
std::string_view automatic_strategy(const StudySettings& settings);
void complete_repeats(StudySettings& settings);
void complete_strategy(StudySettings& settings, bool has_budget);

// Gives what was left open the values of a study that goes on: its strategy, and this one's options.
void fill_in_strategy(StudySettings& settings, const StudySettings& stored);

// Makes settings those of another strategy: its options are what the two have in common, what the preset says, and else
// left open. Throws Error (kUsage).
void change_strategy(StudySettings& settings, const std::string& strategy);

// Whether the two would choose functions differently: another strategy, or other options of the same.
bool is_other_strategy(const StudySettings& a, const StudySettings& b);

// Functions that a study will try, about, without repeats; 0: not known.
std::uint64_t expected_functions(const StudySettings& settings);

// What is to be said about a study with these completed settings: why its strategy cannot do what it is for, now that
// there are these trials; null: none yet. `first` as in StrategySetup. Empty: nothing.
std::string strategy_caution(const StudySettings& settings, const TrialLog* log = nullptr, std::int64_t first = 0);

}  // namespace actforge
