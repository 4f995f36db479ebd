#pragma once

#include "actforge/base/error.h"
#include "actforge/study/stage_run.h"
#include "actforge/study/supervisor.h"

namespace actforge {

// How a study is run: by processes, so that whatever kills one of them leaves the others.
struct RunStudyOptions {
  StudySettings settings = {};  // completed
  // Programs with their arguments. `worker` calls run_worker() for this study; `evaluate` is StagePlan::command of its
  // baseline_stage().
  std::vector<std::string> worker = {}, evaluate = {};
  // Who watches; all are called by the calling thread.
  Supervisor::Watch watch = {};
  std::function<void(const StageJob& job, const TrialOutcome& outcome)> baseline_done = {};
  std::function<void(const Error& why)> baseline_failed = {};
};

// Measures what functions are to be better than, then searches, until the study is over. The store is that of
// begin_study(). Throws Error: kCancelled where the context said stop, and then begin_study() and run_study() go on; or
// as Supervisor::run() does.
void run_study(Store& store, const RunStudyOptions& run, const RunContext& context);

}  // namespace actforge
