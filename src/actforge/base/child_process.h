#pragma once

#include <string>
#include <utility>
#include <vector>

#include "actforge/base/file_descriptor.h"

namespace actforge {

struct ChildOptions {
  std::vector<std::string> command = {};                              // the program's path and its arguments
  std::vector<std::pair<std::string, std::string>> environment = {};  // added to this process's own
  std::string directory = {};                                         // where it runs; empty: where we do
  int input = -1, output = -1, errors = -1;  // its standard files, which stay the caller's; -1: /dev/null
  // Should this process die, the child is sent SIGTERM, and after so many seconds it is killed; 0: at once.
  double grace = 0;
};

// How a process ended.
struct ChildEnd {
  bool by_signal = false;
  int code = 0;  // of the exit, or the signal's number. 126: no such directory, 127: no such program
};

// A program that runs as a child of this process, as the leader of a group of processes, so that Ctrl-C in a terminal
// reaches this process alone. It never outlives this process; and whatever descends from it is gone once it has ended,
// also what left its group. That is done by a process in between (keeper.h), so that nothing in this one changes: it
// may have other children, which are left alone, and ignore or reap them as it likes.
class ChildProcess {
 public:
  // Throws Error (kFailed).
  explicit ChildProcess(const ChildOptions& options);
  // Ends it.
  ~ChildProcess();
  ChildProcess(ChildProcess&& other) noexcept = default;
  ChildProcess& operator=(ChildProcess&& other) noexcept;

  int id() const { return id_; }
  // Whether it has ended, and all that descends from it.
  bool has_ended();
  // Waits until it has.
  ChildEnd wait();
  // A file that poll() calls readable once it has.
  int descriptor() const { return link_.get(); }
  // Sends it SIGTERM.
  void ask_to_stop() const;
  // Kills it and all that descends from it, without waiting.
  void kill() const;

 private:
  void order(char what) const;
  bool receive(int flags);
  void reap(bool reported);

  FileDescriptor link_;  // to its keeper; none after the end
  int keeper_ = -1, id_ = -1;
  ChildEnd end_ = {};
};

}  // namespace actforge
