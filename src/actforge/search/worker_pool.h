#pragma once

#include <string>
#include <vector>

namespace actforge {

// How a worker's process ended.
struct WorkerExit {
  std::string worker;  // its name in the store
  bool by_signal = false;
  int code = 0;         // of the exit, or the signal's number
  std::string message;  // what it wrote to standard error
};

// Worker processes of this one. Each is the leader of a group of its own, so that Ctrl-C in a terminal reaches this
// process alone; if this process dies, they are told to stop. What a dead worker has started is killed, too. Destroyed,
// it kills what is left of all.
class WorkerPool {
 public:
  // The program and its arguments.
  explicit WorkerPool(std::vector<std::string> command);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  // Throws Error (kFailed).
  void start();
  // Those that ended since the last call.
  std::vector<WorkerExit> ended();
  // Asks all to stop, or makes them.
  void stop(bool at_once);
  std::size_t size() const { return workers_.size(); }
  std::vector<std::string> names() const;

 private:
  struct Process {
    int id = 0;
    int errors = -1;  // a file in memory
    std::string name;
  };
  void kill_strays() const;
  static WorkerExit describe(const Process& process, int status);

  std::vector<std::string> command_;
  std::vector<Process> workers_;
};

}  // namespace actforge
