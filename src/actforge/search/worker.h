#pragma once

#include <functional>
#include <string>

#include "actforge/search/feature_meter.h"
#include "actforge/search/study.h"

namespace actforge {

struct WorkerOptions {
  std::string place = {};  // of the study
  StudySettings settings = {};
  WorkerName name = {};
  std::function<bool()> stop = [] { return false; };  // asked often
  FeatureMeter* meter = nullptr;                      // for strategies that look at features of functions
};

// Why a worker ended.
enum class WorkerEnd { kDone, kStopped };

// Claims and evaluates one trial after another until the study is over, or somebody says stop: then the trial at hand
// is given back. Throws Error where the store fails, and where evaluations break again and again without a single one
// that works.
WorkerEnd run_worker(const WorkerOptions& options, Evaluator& evaluator);

// "host:process:start", which no other process has; and whether one of this machine is alive. Nothing is known of
// other machines: they count as alive.
std::string worker_name();
std::string worker_name(int process);
bool worker_is_alive(const std::string& name);

}  // namespace actforge
