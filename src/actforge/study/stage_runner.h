#pragma once

#include <functional>
#include <string>
#include <vector>

#include "actforge/base/run_context.h"
#include "actforge/study/stage.h"

namespace actforge {

struct StageOptions {
  // A program and its arguments, to which --function and --repeat are added; it prints outcome_json() as its last line.
  std::vector<std::string> command = {};
  std::size_t workers = 1;
  std::string gpus = {};  // as in worker_environment()
  int attempts = 3;       // of a job whose process breaks
  // Each worker has one process for all of its jobs, to which --asked is added in their place; it reads job_json(), a
  // line each, and answers each with a line, outcome_json() or failure_json().
  bool stays = false;
  std::string step = "evaluations";  // what progress calls it
  // A result; called by the calling thread.
  std::function<void(const StageJob& job, const TrialOutcome& outcome)> done = {};
};

// Evaluates jobs, each in a process of its own unless that stays, several at once; whatever kills one of them leaves
// the others. Throws Error: kCancelled, or that of the process once a job has broken as often as is allowed; what else
// was running is ended.
void run_jobs(const std::vector<StageJob>& jobs, const StageOptions& options, const RunContext& context);

}  // namespace actforge
