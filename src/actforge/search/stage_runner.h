#pragma once

#include <functional>
#include <string>
#include <vector>

#include "actforge/search/stage.h"

namespace actforge {

struct StageRunOptions {
  // A program and its arguments, to which --function and --repeat are added; it prints outcome_json() as its last line.
  std::vector<std::string> command = {};
  std::size_t workers = 1;
  int attempts = 3;  // of a job whose process breaks
  // All called by the calling thread.
  std::function<bool()> stop = [] { return false; };                                                  // asked often
  std::function<void(const StageJob& job, const TrialOutcome& outcome)> done = {};                    // a result
  std::function<void(std::size_t done, std::size_t all)> progress = [](std::size_t, std::size_t) {};  // often
};

// Evaluates jobs, each in a process of its own, several at once; whatever kills one of them leaves the others. false:
// stopped before all were done. Throws Error (that of the process) once a job has broken as often as is allowed; what
// else was running is ended.
bool run_jobs(const std::vector<StageJob>& jobs, const StageRunOptions& options);

}  // namespace actforge
