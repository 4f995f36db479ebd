#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "actforge/base/option_field.h"
#include "actforge/base/split_list.h"
#include "actforge/search/evaluators/evaluator.h"
#include "actforge/search/strategies/race.h"
#include "actforge/search/strategies/strategy_options.h"

namespace actforge {

// Everything that a study is. What each field means stands once, in the table of study_settings.cpp, from which the
// command line's help, the example file and the stored settings come.
struct StudySettings {
  std::uint64_t seed = 0;

  std::uint64_t trials = 0;
  std::string time = "";
  std::string repeats = "auto";  // a share, once completed
  std::uint64_t most_runs = 10;

  std::string space = "pangaea";
  std::string require = "auto";  // the requirements, once completed
  std::string with = "";         // hyperparameters searched together with the function

  std::string strategy = "auto";  // a name, once completed
  std::string preset = "standard";
  StrategyOptions options = {};  // its fields stand in the same section of a file

  std::string evaluator = "train";
  std::string objective = "accuracy";
  std::string direction = "auto";  // stands with the objective, once completed
  EvaluatorOptions evaluate = {};  // its fields stand in the same section of a file
  std::string baseline = "relu(x)";
  std::string normal_form = "none";

  std::string net = "allcnn-mini";
  std::string data = "digits";
  std::string recipe = "";
  std::uint64_t subset = 0;
  std::uint64_t validation = 0;
  std::uint64_t threads = 1;
  std::map<std::string, std::string> train = {};  // fields of TrainOptions that override the recipe

  std::uint64_t full_epochs = 0;
  std::uint64_t full_subset = 0;

  std::uint64_t grace = 3;
  bool halving = false;
  std::uint64_t first_rung = 1;
  double keep_one_in = 3;

  std::uint64_t workers = 1;
  std::string gpus = "";
  std::uint64_t attempts = 3;
  double lease = 60;
};

// More than any study has: no limit.
inline constexpr std::uint64_t kMostTrials = 1'000'000'000;

struct StudyField {
  std::string_view section;
  OptionField<StudySettings> option;
  // Whether it may differ when a study goes on: how much is done, by how many; not what is done.
  bool may_change = false;
  bool is_list = false;  // may be given several times; what is given is joined by commas
};
std::span<const StudyField> study_fields();

// Sections of a file in their order, with what they are about.
struct StudySection {
  std::string_view name;
  std::string_view summary;
};
std::span<const StudySection> study_sections();

// One setting by its section and name; fields of strategies, evaluators and training included. Throws Error (kUsage).
void set_study_field(StudySettings& settings, std::string_view section, std::string_view name, const std::string& text);

// Fills in what was left open (the number of trials) and checks what depends on several fields. Throws Error (kUsage).
void complete_settings(StudySettings& settings);

// Which functions count as equal: in normal form those that differ by what it takes away.
Sameness sameness(const StudySettings& settings);

// How promising functions are evaluated again.
RaceOptions race_options(const StudySettings& settings);

// Whether functions have spectra of the Fisher information: of the network that is trained, or in a benchmark.
bool has_spectra(const StudySettings& settings);

// Whether the strategy looks at them.
bool wants_spectra(const StudySettings& settings);

// "[study] seed: '0' there, '5' here" for every difference that makes it another study; a is there, b here.
std::vector<std::string> study_differences(const StudySettings& a, const StudySettings& b);

// Each network on each data set.
struct StudyTask {
  std::string net, data;
  std::string name() const { return net + " on " + data; }
};
std::vector<StudyTask> study_tasks(const StudySettings& settings);

std::vector<Objective> study_objectives(const StudySettings& settings);

}  // namespace actforge
