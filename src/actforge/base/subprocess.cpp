#include "actforge/base/subprocess.h"

#include <chrono>

namespace actforge {
namespace {

using Clock = std::chrono::steady_clock;
using Kind = SubprocessEnd::Kind;

ChildOptions child_options(std::vector<std::string> command, const SubprocessOptions& options) {
  return {.command = std::move(command), .environment = options.environment, .directory = options.directory};
}

std::vector<std::string> shell_command(const std::string& command) { return {"/bin/sh", "-c", command}; }

// Reads what a child writes until it has ended, is to be ended, or has answered.
SubprocessEnd follow(PipedChild& child, const SubprocessOptions& options, const std::function<bool()>& answered) {
  const OutputSinks sinks = {.line = options.line, .output = options.output};
  const Clock::time_point begin = Clock::now();
  const auto is_late = [&] {
    const std::chrono::duration<double> taken = Clock::now() - begin;
    return options.timeout > 0 && taken.count() > options.timeout;
  };
  const auto end = [&](Kind kind, int code = 0) { return SubprocessEnd{kind, code, child.take_errors()}; };
  while (!child.has_ended()) {
    child.wait_and_read(sinks);
    if (answered && answered()) {
      child.read_rest(sinks);  // what else it has to say of this question
      return end(Kind::kAnswered);
    }
    if (is_late()) return end(Kind::kTimeout);
    if (options.run.stopped()) return end(Kind::kStopped);
  }
  child.read_rest(sinks);
  child.end_line(sinks);
  if (answered && answered()) return end(Kind::kAnswered);
  const ChildEnd how = child.wait();
  return end(how.by_signal ? Kind::kSignal : Kind::kExit, how.code);
}

}  // namespace

SubprocessEnd run_program(const std::vector<std::string>& command, const SubprocessOptions& options) {
  PipedChild child(child_options(command, options), false);
  return follow(child, options, {});
}

SubprocessEnd run_shell(const std::string& command, const SubprocessOptions& options) {
  return run_program(shell_command(command), options);
}

AskedProgram::AskedProgram(const std::string& command, const SubprocessOptions& options)
    : child_(child_options(shell_command(command), options), true) {}

AskedProgram::~AskedProgram() {
  constexpr std::chrono::seconds kGrace{3};
  child_.close_input();
  const Clock::time_point begin = Clock::now();
  while (!is_given_up_ && !child_.has_ended() && Clock::now() - begin < kGrace) child_.wait_and_read({});
}

SubprocessEnd AskedProgram::ask(const std::string& line, const SubprocessOptions& options,
                                const std::function<bool()>& answered) {
  child_.write(line + "\n");
  SubprocessEnd end = follow(child_, options, answered);
  is_given_up_ = end.kind != Kind::kAnswered;
  return end;
}

std::string shell_quoted(std::string_view text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? "'\\''" : std::string(1, c);
  return result + "'";
}

}  // namespace actforge
