#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "actforge/base/piped_child.h"
#include "actforge/base/run_context.h"

namespace actforge {

struct SubprocessOptions {
  std::vector<std::pair<std::string, std::string>> environment = {};  // added to this process's own
  std::string directory = {};                                         // where it runs; empty: where we do
  double timeout = 0;                                                 // seconds; 0: none
  // Asked about twenty times a second, and after every line, whether to stop: then the command is ended.
  RunContext run = {};
  // As in OutputSinks.
  std::function<void(std::string_view line)> line = {};
  std::function<void(std::string_view bytes)> output = {};
};

struct SubprocessEnd {
  enum class Kind { kExit, kSignal, kTimeout, kStopped, kAnswered };
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

// A command for /bin/sh that is started once and asked again and again: lines to its standard input, lines of its
// standard output.
class AskedProgram {
 public:
  // Of the options, environment and directory are those that it is started with.
  AskedProgram(const std::string& command, const SubprocessOptions& options);
  // Closes its standard input, and gives it some seconds to end by itself.
  ~AskedProgram();
  AskedProgram(const AskedProgram&) = delete;
  AskedProgram& operator=(const AskedProgram&) = delete;

  bool has_ended() { return child_.has_ended(); }
  // Sends a line, without its line break, and reads until `answered` says so, which is asked after what was read: then
  // the end is kAnswered. After any other the program is gone, or soon will be.
  SubprocessEnd ask(const std::string& line, const SubprocessOptions& options, const std::function<bool()>& answered);

 private:
  PipedChild child_;
  bool is_given_up_ = false;
};

// As one word of a command for /bin/sh.
std::string shell_quoted(std::string_view text);

}  // namespace actforge
