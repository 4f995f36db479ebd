#pragma once

#include <string>
#include <vector>

#include "actforge/base/child_process.h"

namespace actforge {

// How a worker's process ended.
struct WorkerExit {
  std::string worker;  // its name in the store
  bool by_signal = false;
  int code = 0;         // of the exit, or the signal's number
  std::string message;  // what it wrote to standard error
};

// Worker processes of this one; see ChildProcess. If this process dies, they are told to stop. Destroyed, it kills what
// is left of all.
class WorkerPool {
 public:
  // The program and its arguments, and the GPUs of worker_environment().
  explicit WorkerPool(std::vector<std::string> command, std::string gpus = {})
      : command_(std::move(command)), gpus_(std::move(gpus)) {}
  ~WorkerPool() { stop(true); }
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  // In the place of one that has ended, or behind all. Throws Error (kFailed).
  void start();
  // Those that ended since the last call.
  std::vector<WorkerExit> ended();
  // Asks all to stop, or makes them.
  void stop(bool at_once);
  std::size_t size() const { return workers_.size(); }
  std::vector<std::string> names() const;

 private:
  struct Worker {
    FileDescriptor errors;  // a file in memory
    ChildProcess process;
    std::string name;
    std::size_t place = 0;
  };
  std::size_t free_place() const;
  static WorkerExit describe(Worker& worker);

  std::vector<std::string> command_;
  std::string gpus_;
  std::vector<Worker> workers_;
};

}  // namespace actforge
