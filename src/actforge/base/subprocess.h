#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace actforge {

struct SubprocessOptions {
  std::vector<std::pair<std::string, std::string>> environment = {};  // added to this process's own
  std::string directory = {};                                         // where it runs; empty: where we do
  double timeout = 0;                                                 // seconds; 0: none
  // Asked about twenty times a second, and after every line; true ends the command.
  std::function<bool()> stop = {};
  // Every whole line of its standard output, and what stands after the last one.
  std::function<void(std::string_view line)> line = {};
};

struct SubprocessEnd {
  enum class Kind { kExit, kSignal, kTimeout, kStopped };
  Kind kind = Kind::kExit;
  int code = 0;             // of the exit, or the signal's number
  std::string errors = {};  // the end of its standard error
};

// Runs a command with /bin/sh, as the leader of a group of processes, and waits for it. When it is to end early, or has
// ended itself, whatever is left of the group is killed: nothing goes on behind our back. It dies with us. A line
// longer than a megabyte is cut. Throws Error (kFailed) where it cannot be started.
SubprocessEnd run_shell(const std::string& command, const SubprocessOptions& options);

// As one word of a command for /bin/sh.
std::string shell_quoted(std::string_view text);

}  // namespace actforge
