#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "actforge/base/run_context.h"
#include "actforge/study/study.h"
#include "actforge/study/worker_pool.h"

namespace actforge {

// Starts the workers of a study and replaces those that die, until the study has ended or is stopped.
class Supervisor {
 public:
  // `command` is a program with its arguments that calls run_worker() for this study.
  Supervisor(Store& store, const StudySettings& settings, std::vector<std::string> command)
      : settings_(settings), store_(store), pool_(std::move(command), settings.gpus) {}

  // Called once before there are workers, then about fifty times a second, with the names of those there are.
  using Watch = std::function<void(const std::vector<std::string>& workers)>;

  // Throws Error, once all workers are gone: kCancelled where the context said stop, and what was at work has been
  // given back; that of a worker; kFailed where workers die again and again.
  void run(const RunContext& context, const Watch& watch = {});

 private:
  using Clock = std::chrono::steady_clock;

  void supervise(const RunContext& context, const Watch& watch);
  void end_workers();
  void handle(const WorkerExit& exit, bool stopping);
  void check_progress(const WorkerExit& exit);
  void keep_time(bool at_once);

  const StudySettings& settings_;
  Store& store_;
  WorkerPool pool_;
  Clock::time_point counted_ = Clock::now();
  int deaths_ = 0;
  std::int64_t results_at_death_ = -1;
};

}  // namespace actforge
