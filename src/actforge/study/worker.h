#pragma once

#include <exception>
#include <string>

#include "actforge/search/evaluators/feature_probe.h"
#include "actforge/study/study.h"

namespace actforge {

struct WorkerOptions {
  std::string location = {};  // of the study
  StudySettings settings = {};
  WorkerName name = {};
  FeatureProbe* probe = nullptr;  // for strategies that look at features of functions
};

// Why a worker ended.
enum class WorkerEnd { kDone, kStopped };

// Claims and evaluates one trial after another until the study is over, or the context says stop: then the trial at
// hand is given back. Seed and threads are the settings'. Throws Error where the store fails, and where evaluations or
// measurements of features break again and again without a single one that works.
WorkerEnd run_worker(const WorkerOptions& options, Evaluator& evaluator, const RunContext& context = {});

// Why an attempt to measure a function failed, for Store::release(); empty where that says nothing about the function:
// the store failed, or it was cancelled.
std::string attempt_failure(const std::exception& error);

// "host:process:start", which no other process has; and whether one of this machine is alive. Nothing is known of
// other machines: they count as alive.
std::string worker_name();
std::string worker_name(int process);
bool worker_is_alive(const std::string& name);
// Ends the claims of processes that no longer exist: an earlier command was killed.
void release_dead_workers(Store& store);

}  // namespace actforge
