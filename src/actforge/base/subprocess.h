#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "actforge/base/run_context.h"

namespace actforge {

struct SubprocessOptions {
  std::vector<std::pair<std::string, std::string>> environment = {};  // added to this process's own
  std::string directory = {};                                         // where it runs; empty: where we do
  double timeout = 0;                                                 // seconds; 0: none
  // Asked about twenty times a second, and after every line, whether to stop: then the command is ended.
  RunContext run = {};
  // Every complete line of its standard output, and what follows the last one.
  std::function<void(std::string_view line)> line = {};
};

struct SubprocessEnd {
  enum class Kind { kExit, kSignal, kTimeout, kStopped };
  Kind kind = Kind::kExit;
  int code = 0;             // of the exit, or the signal's number
  std::string errors = {};  // the end of its standard error
};

// Runs a program (the command's first word, a path) as a ChildProcess, and waits for it. When it is to end early, or
// has ended itself, whatever descends from it is killed. A line longer than a megabyte is cut. Throws Error (kFailed)
// where no process can be started.
SubprocessEnd run_program(const std::vector<std::string>& command, const SubprocessOptions& options);
// The same with a command for /bin/sh.
SubprocessEnd run_shell(const std::string& command, const SubprocessOptions& options);

// As one word of a command for /bin/sh.
std::string shell_quoted(std::string_view text);

}  // namespace actforge
