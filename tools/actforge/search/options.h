#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "actforge/search/evaluators/feature_probe.h"
#include "actforge/study/study.h"
#include "actforge/study/summary.h"
#include "actforge/study/trial_export.h"
#include "tools/actforge/common/verb.h"

namespace actforge::tool {

// Settings of a study that were given as flags, in the order in which they stand.
struct StudyFlags {
  struct Given {
    std::string section, name, text;
  };
  std::vector<Given> given = {};
  // Of those that may be given several times.
  struct List {
    std::string section = {}, name = {};
    std::vector<std::string> texts = {};
  };
  std::deque<List> lists = {};  // the command line writes into them
};
// kStage: of those that may change, what still matters after the search.
enum class StudyFlagKind { kAll, kMayChange, kStage };
void add_study_flags(CLI::App& verb, StudyFlags& flags, StudyFlagKind kind);
void apply_flags(StudySettings& settings, const StudyFlags& flags);

// Processes of this program that work for it: `search worker`, and `search evaluate` for a stage.
std::vector<std::string> worker_command(const std::string& location, const StudySettings& settings);
std::vector<std::string> evaluate_command(const std::string& location, const StudySettings& settings,
                                          const std::string& stage);

// Verbs that look at a study.
struct StudyArgument {
  std::string location;
  bool json = false;
};
void add_study_argument(CLI::App& verb, StudyArgument& study);

// As people read it: a trial is set aside, which stores and JSON call quarantined.
std::string_view status_text(TrialStatus status);

// Notes about settings that may not be what their author means.
void note_cautions(const StudySettings& settings);

// Throws Error (kBadInput) where there is none.
Trial find_trial(Store& store, std::uint64_t number);

// What evaluates the study's functions: with LibTorch, where they are trained.
bool evaluator_needs_libtorch(const StudySettings& settings);
std::unique_ptr<Evaluator> study_evaluator(const StudySettings& settings);
// What measures features for the strategy, with LibTorch; null where it wants none.
std::unique_ptr<FeatureProbe> study_probe(const StudySettings& settings, const RunContext& run);

}  // namespace actforge::tool
