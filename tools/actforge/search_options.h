#pragma once

#include <optional>
#include <string>
#include <vector>

#include "actforge/search/feature_meter.h"
#include "actforge/search/study.h"
#include "actforge/verb.h"

namespace actforge::tool {

// Settings of a study that were given as flags, in the order in which they stand.
struct StudyFlags {
  struct Given {
    std::string section, name, text;
  };
  std::vector<Given> given = {};
};
// kStage: of those that may change, what still matters after the search.
enum class StudyFlagKind { kAll, kMayChange, kStage };
void add_study_flags(CLI::App& verb, StudyFlags& flags, StudyFlagKind kind);
void apply_flags(StudySettings& settings, const StudyFlags& flags);

// Those that may change, as the flags of a process that works for this one.
std::vector<std::string> changed_flags(const StudySettings& settings);
// This program, for such a process.
std::string this_program();

// Verbs that look at a study.
struct StudyArgument {
  std::string place;
  bool json = false;
};
void add_study_argument(CLI::App& verb, StudyArgument& study);

nlohmann::json trial_json(const Trial& trial, const std::vector<Objective>& objectives);
// A score as people want to see it: a loss without its minus sign.
double shown_score(const Objective& objective, double score);
std::string score_text(const Objective& objective, double score);

// In actforge the process becomes the one with LibTorch, where training needs it.
std::unique_ptr<Evaluator> study_evaluator(const StudySettings& settings);
// What measures features for the strategy; null where it wants none.
std::unique_ptr<FeatureMeter> study_meter(const StudySettings& settings);

}  // namespace actforge::tool
