#pragma once

#include <string>
#include <vector>

#include "actforge/study/finalists.h"
#include "actforge/study/rivals.h"
#include "actforge/study/stage_question.h"
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
std::vector<ComparedFunction> with_flags(std::vector<ComparedFunction> chosen, const StageFlags& flags,
                                         const std::vector<std::string>& baselines);

// Baselines of the command line, in call form; an error points into their text.
std::vector<std::string> wanted_baselines(const StageFlags& flags);

// What is asked of the library, and arguments for the processes that evaluate, by stage.
struct StageRequest {
  StageQuestion question = {};
  std::vector<std::string> arguments = {}, confirm_arguments = {};
  std::vector<std::string> notes = {};
};
// Evaluates what is missing, then prints the tables. The exit code.
int print_stage(const OpenStudy& study, const StageFlags& flags, StageRequest request);

}  // namespace actforge::tool
