#pragma once

#include <string>
#include <vector>

#include "actforge/search/comparison.h"
#include "actforge/search_options.h"

namespace actforge::tool {

// Functions that are evaluated apart from the search, by processes of their own.
struct StageRun {
  std::string place = {};
  StudySettings settings = {};  // of the study, as the command line has changed them
  Stage stage = {};
  std::vector<std::string> arguments = {};  // for the processes: what makes the stage another one
  std::vector<std::string> functions = {};
  std::int64_t repeats = 1;
  int attempts = 3;
};
// Does what the store does not have yet, and shows how far it is. The exit code: 0, or a signal's.
int run_stage(Store& store, const StageRun& run);

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
};
void add_stage_flags(CLI::App& verb, StageFlags& flags);

void add_transfer_task(CLI::App& verb, TransferTask& task);

// A study, with the settings that the command line changes.
OpenStudy open_stage(const StageFlags& flags);

// The study's best by its own scores: equal ones are merged, and those left out that equal a baseline.
std::vector<ComparedFunction> best_functions(Store& store, std::size_t count,
                                             const std::vector<std::string>& baselines);
// The same by re-ranking, where there was one with these settings; else by the study's own scores, and `is_reranked` is
// false.
struct Finalists {
  std::vector<ComparedFunction> functions = {};
  bool is_reranked = false;
};
Finalists finalists(Store& store, const StudySettings& settings, std::size_t count,
                    const std::vector<std::string>& baselines);

// Those, then functions and baselines of the command line.
std::vector<ComparedFunction> with_others(std::vector<ComparedFunction> chosen, const StageFlags& flags,
                                          const std::vector<std::string>& baselines);
std::vector<std::string> expressions_of(const std::vector<ComparedFunction>& functions);

// Baselines of the command line, else the study's, else ReLU; as expressions in call form.
std::vector<std::string> baselines_of(const StageFlags& flags, const StudySettings& settings);

// Evaluates what is missing, then prints the tables. The exit code.
struct StageQuestion {
  Stage stage = {};
  std::vector<std::string> arguments = {};
  std::vector<ComparedFunction> functions = {};
  std::vector<std::string> notes = {};
};
int answer_stage(const OpenStudy& study, const StageFlags& flags, const StageQuestion& question);

}  // namespace actforge::tool
