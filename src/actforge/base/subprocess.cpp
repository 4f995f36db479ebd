#include "actforge/base/subprocess.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "actforge/base/child_process.h"
#include "actforge/base/error.h"

namespace actforge {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t kLongestLine = 1 << 20, kMostErrors = 4096;

struct Pipe {
  Pipe() {
    std::array<int, 2> ends = {};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) {
      throw Error(ErrorCode::kFailed, std::string("cannot make a pipe: ") + std::strerror(errno));
    }
    reader = FileDescriptor(ends[0]);
    writer = FileDescriptor(ends[1]);
  }
  FileDescriptor reader, writer;
};

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

// Reads what is in a pipe by now, and no more: a process may keep writing for ever.
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

// A program that is waited for while its output is read.
class Subprocess {
 public:
  Subprocess(const std::vector<std::string>& command, const SubprocessOptions& options)
      : options_(options),
        lines_(options.line),
        child_({.command = command,
                .environment = options.environment,
                .directory = options.directory,
                .output = out_.writer.get(),
                .errors = err_.writer.get()}) {
    out_.writer.reset();
    err_.writer.reset();
  }

  SubprocessEnd run() {
    while (!child_.has_ended()) {
      read_more();
      if (is_late()) return stopped(SubprocessEnd::Kind::kTimeout);
      if (options_.run.stopped()) return stopped(SubprocessEnd::Kind::kStopped);
    }
    read_rest(out_.reader.get(), keep_lines_);
    read_rest(err_.reader.get(), keep_errors_);
    lines_.end();
    const ChildEnd how = child_.wait();
    end_.kind = how.by_signal ? SubprocessEnd::Kind::kSignal : SubprocessEnd::Kind::kExit;
    end_.code = how.code;
    return end_;
  }

 private:
  void read_more() {
    std::array<pollfd, 3> files = {pollfd{more_ ? out_.reader.get() : -1, POLLIN, 0},
                                   pollfd{more_errors_ ? err_.reader.get() : -1, POLLIN, 0},
                                   pollfd{child_.descriptor(), POLLIN, 0}};
    poll(files.data(), files.size(), 50);
    if (files[0].revents != 0) more_ = read_some(out_.reader.get(), keep_lines_);
    if (files[1].revents != 0) more_errors_ = read_some(err_.reader.get(), keep_errors_);
  }

  bool is_late() const {
    const std::chrono::duration<double> taken = Clock::now() - begin_;
    return options_.timeout > 0 && taken.count() > options_.timeout;
  }

  SubprocessEnd stopped(SubprocessEnd::Kind kind) {
    end_.kind = kind;
    return end_;
  }

  void keep_errors(std::string_view bytes) {
    end_.errors += bytes;
    if (end_.errors.size() > 2 * kMostErrors) end_.errors.erase(0, end_.errors.size() - kMostErrors);
  }

  const SubprocessOptions& options_;
  Lines lines_;
  SubprocessEnd end_;
  Take keep_lines_ = [this](std::string_view bytes) { lines_.add(bytes); };
  Take keep_errors_ = [this](std::string_view bytes) { keep_errors(bytes); };
  bool more_ = true, more_errors_ = true;
  Clock::time_point begin_ = Clock::now();
  Pipe out_, err_;
  ChildProcess child_;  // the last: whatever reads is there as long as it runs
};

}  // namespace

SubprocessEnd run_program(const std::vector<std::string>& command, const SubprocessOptions& options) {
  return Subprocess(command, options).run();
}

SubprocessEnd run_shell(const std::string& command, const SubprocessOptions& options) {
  return run_program({"/bin/sh", "-c", command}, options);
}

std::string shell_quoted(std::string_view text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? "'\\''" : std::string(1, c);
  return result + "'";
}

}  // namespace actforge
