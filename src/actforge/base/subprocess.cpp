#include "actforge/base/subprocess.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>

#include "actforge/base/error.h"

namespace actforge {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t kLongestLine = 1 << 20, kMostErrors = 4096;

class Pipe {
 public:
  Pipe() {
    if (pipe2(ends_.data(), O_CLOEXEC) != 0) {
      throw Error(ErrorCode::kFailed, std::string("cannot make a pipe: ") + std::strerror(errno));
    }
  }
  ~Pipe() {
    close_writer();
    close_reader();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int reader() const { return ends_[0]; }
  int writer() const { return ends_[1]; }
  void close_reader() { close_end(ends_[0]); }
  void close_writer() { close_end(ends_[1]); }

 private:
  static void close_end(int& end) {
    if (end >= 0) close(end);
    end = -1;
  }
  std::array<int, 2> ends_{-1, -1};
};

std::vector<std::string> full_environment(const SubprocessOptions& options) {
  std::vector<std::string> list;
  for (char** variable = environ; *variable != nullptr; ++variable) list.emplace_back(*variable);
  for (const auto& [name, value] : options.environment) list.push_back(name + "=" + value);
  return list;
}

// Everything is prepared before fork(): between it and exec() only calls that are safe there are made.
pid_t start(const std::string& command, const SubprocessOptions& options, const Pipe& out, const Pipe& err) {
  const std::vector<std::string> environment = full_environment(options);
  std::vector<char*> variables;
  for (const std::string& variable : environment) variables.push_back(const_cast<char*>(variable.c_str()));
  variables.push_back(nullptr);
  const std::array<char*, 4> arguments = {const_cast<char*>("sh"), const_cast<char*>("-c"),
                                          const_cast<char*>(command.c_str()), nullptr};
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) throw Error(ErrorCode::kFailed, std::string("cannot start a process: ") + std::strerror(errno));
  if (child > 0) {
    setpgid(child, child);  // in both, so that neither has to wait for the other
    return child;
  }
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
  for (const int number : {SIGINT, SIGTERM, SIGPIPE}) std::signal(number, SIG_DFL);
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  dup2(nothing, STDIN_FILENO);
  dup2(out.writer(), STDOUT_FILENO);
  dup2(err.writer(), STDERR_FILENO);
  if (!options.directory.empty() && chdir(options.directory.c_str()) != 0) _exit(126);
  execve("/bin/sh", arguments.data(), variables.data());
  _exit(127);
}

class Lines {
 public:
  explicit Lines(const std::function<void(std::string_view)>& see) : see_(see) {}
  void add(std::string_view bytes) {
    for (const char c : bytes) {
      if (c == '\n') {
        tell();
      } else if (line_.size() < kLongestLine) {
        line_ += c;
      }
    }
  }
  void tell() {
    if (see_) see_(line_);
    line_.clear();
  }
  void end() {
    if (!line_.empty()) tell();
  }

 private:
  const std::function<void(std::string_view)>& see_;
  std::string line_;
};

using Take = std::function<void(std::string_view)>;

// Reads some of what there is; false at the end of the file.
bool read_some(int from, const Take& take, std::size_t most = 65536) {
  std::array<char, 65536> buffer;
  const ssize_t count = read(from, buffer.data(), std::min(most, buffer.size()));
  if (count < 0) return errno == EINTR || errno == EAGAIN;
  if (count > 0) take({buffer.data(), static_cast<std::size_t>(count)});
  return count > 0;
}

// Reads what is in a pipe by now, and no more: somebody may go on writing for ever.
void read_rest(int from, const Take& take) {
  int left = 0;
  if (ioctl(from, FIONREAD, &left) != 0) return;
  const Take count = [&](std::string_view bytes) {
    left -= static_cast<int>(bytes.size());
    take(bytes);
  };
  while (left > 0 && read_some(from, count, static_cast<std::size_t>(left))) {
  }
}

// The group of a command that is waited for; destroyed, it is gone.
class Group {
 public:
  explicit Group(pid_t leader) : leader_(leader) {}
  ~Group() { end(); }
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;

  // Whether its leader has ended. It is not asked for yet: until it is, no other group can get its number.
  bool has_ended() const {
    siginfo_t info = {};
    return waitid(P_PID, static_cast<id_t>(leader_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == leader_;
  }
  // Kills what is left of it. Returns the leader's status.
  int end() {
    if (ended_) return status_;
    kill(-leader_, SIGKILL);
    while (waitpid(leader_, &status_, 0) < 0 && errno == EINTR) {
    }
    ended_ = true;
    return status_;
  }

 private:
  pid_t leader_;
  int status_ = 0;
  bool ended_ = false;
};

}  // namespace

SubprocessEnd run_shell(const std::string& command, const SubprocessOptions& options) {
  Pipe out, err;
  Group group(start(command, options, out, err));
  out.close_writer();
  err.close_writer();
  const Clock::time_point begin = Clock::now();
  SubprocessEnd end;
  Lines lines(options.line);
  const Take keep_lines = [&](std::string_view bytes) { lines.add(bytes); };
  const Take keep_errors = [&](std::string_view bytes) {
    end.errors += bytes;
    if (end.errors.size() > 2 * kMostErrors) end.errors.erase(0, end.errors.size() - kMostErrors);
  };
  bool more = true, more_errors = true;
  // Processes that it left behind may hold the pipes open, and write: its own end is what counts.
  while (!group.has_ended()) {
    std::array<pollfd, 2> files = {pollfd{more ? out.reader() : -1, POLLIN, 0},
                                   pollfd{more_errors ? err.reader() : -1, POLLIN, 0}};
    poll(files.data(), files.size(), more || more_errors ? 50 : 5);  // with both closed, its end is near
    if (files[0].revents != 0) more = read_some(out.reader(), keep_lines);
    if (files[1].revents != 0) more_errors = read_some(err.reader(), keep_errors);
    const std::chrono::duration<double> taken = Clock::now() - begin;
    if (options.timeout > 0 && taken.count() > options.timeout) {
      end.kind = SubprocessEnd::Kind::kTimeout;
      return end;
    }
    if (options.stop && options.stop()) {
      end.kind = SubprocessEnd::Kind::kStopped;
      return end;
    }
  }
  const int status = group.end();
  read_rest(out.reader(), keep_lines);
  read_rest(err.reader(), keep_errors);
  lines.end();
  if (WIFSIGNALED(status)) {
    end.kind = SubprocessEnd::Kind::kSignal;
    end.code = WTERMSIG(status);
  } else {
    end.code = WEXITSTATUS(status);
  }
  return end;
}

std::string shell_quoted(std::string_view text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? "'\\''" : std::string(1, c);
  return result + "'";
}

}  // namespace actforge
