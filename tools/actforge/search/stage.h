#pragma once

#include <string>
#include <vector>

#include "actforge/study/after_search.h"
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
  std::string location = {};
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

// What the flags ask for; an error points into the text of a function.
AfterSearch wanted_after(const StageFlags& flags);

// Evaluates what is missing, then prints the tables. `task` is that of the last stage, if it has one. The exit code.
int print_stage(const OpenStudy& study, const StageFlags& flags, StageQuestion question, const TransferTask& task = {});

}  // namespace actforge::tool
