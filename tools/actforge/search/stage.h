#pragma once

#include <string>
#include <vector>

#include "actforge/study/finalists.h"
#include "actforge/study/rate_sweep.h"
#include "actforge/study/stage_run.h"
#include "tools/actforge/common/progress.h"
#include "tools/actforge/search/options.h"

namespace actforge::tool {

// What people see of runs apart from the search, on standard error: on a terminal how far they are, elsewhere one line
// for each result.
class StageDisplay {
 public:
  explicit StageDisplay(const Stage& stage);
  void tell(const StageJob& job, const TrialOutcome& outcome);
  void show(std::size_t done, std::size_t all) { progress_.show(done, all, last_); }
  void clear() { progress_.clear(); }

 private:
  Stage stage_;
  Progress progress_;
  bool is_terminal_;
  std::string last_;
};

// What rerank, final and transfer have in common on the command line.
struct StageFlags {
  std::string place = {};
  std::uint64_t runs = 0;
  std::uint64_t top = 0;
  std::vector<std::string> functions = {}, baselines = {};
  std::string against = {};
  std::string format = "text";
  std::string statistic = "mean";
  std::string output = {};
  StudyFlags study = {};
  // Of final alone.
  bool sweep = false, confirm = false;
  std::string rates = {}, confirm_net = {};
  std::uint64_t sweep_runs = 1;
};
// `baselines` are those without the flag, in words.
void add_stage_flags(CLI::App& verb, StageFlags& flags, const std::string& baselines = "the study's baseline");

// A network in a file is found from wherever the process runs.
std::string absolute_net(const std::string& net);

void add_transfer_task(CLI::App& verb, TransferTask& task);

// A study, with the settings that the command line changes.
OpenStudy open_stage(const StageFlags& flags);

// Those, then functions and baselines of the command line.
std::vector<ComparedFunction> with_others(std::vector<ComparedFunction> chosen, const StageFlags& flags,
                                          const std::vector<std::string>& baselines);

// Baselines of the command line, else the study's, else ReLU; as expressions in call form.
std::vector<std::string> baselines_of(const StageFlags& flags, const StudySettings& settings);
// The same, but without any on the command line all common functions, in the study's normal form.
std::vector<std::string> rivals_of(const StageFlags& flags, const StudySettings& settings);

// Evaluates what is missing, then prints the tables. The exit code.
struct StageQuestion {
  Stage stage = {};
  std::vector<std::string> arguments = {};
  std::vector<ComparedFunction> functions = {};
  std::vector<std::string> notes = {};
  std::optional<RateSweep> sweep = {};
  std::optional<Stage> confirm = {};  // the same functions once more, at another scale
  std::vector<std::string> confirm_arguments = {};
};
int answer_stage(const OpenStudy& study, const StageFlags& flags, const StageQuestion& question);

}  // namespace actforge::tool
