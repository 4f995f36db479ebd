#include "actforge/base/piped_child.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <optional>
#include <utility>

#include "actforge/base/error.h"

namespace actforge {
namespace {

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
void read_waiting(int from, const Take& take) {
  int left = 0;
  if (ioctl(from, FIONREAD, &left) != 0) return;
  const Take count = [&](std::string_view bytes) {
    left -= static_cast<int>(bytes.size());
    take(bytes);
  };
  while (left > 0 && read_some(from, count, static_cast<std::size_t>(left))) {
  }
}

// write() to a pipe that nobody reads any more sends SIGPIPE, which would end a program that does not expect it: it is
// held back meanwhile, and taken away.
ssize_t write_without_signal(int to, std::string_view text) {
  sigset_t pipe_signal, before, pending;
  sigemptyset(&pipe_signal);
  sigaddset(&pipe_signal, SIGPIPE);
  sigpending(&pending);
  const bool was_pending = sigismember(&pending, SIGPIPE) == 1;
  pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
  const ssize_t count = ::write(to, text.data(), text.size());
  const int error = errno;
  if (count < 0 && error == EPIPE && !was_pending) {
    const timespec now = {};
    while (sigtimedwait(&pipe_signal, nullptr, &now) < 0 && errno == EINTR) {
    }
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return count;
}

}  // namespace

PipedChild::PipedChild(ChildOptions options, bool has_input) {
  Pipe out, err;
  std::optional<Pipe> in;
  if (has_input) in.emplace();
  options.input = in ? in->reader.get() : -1;
  options.output = out.writer.get();
  options.errors = err.writer.get();
  child_ = std::make_unique<ChildProcess>(options);
  out_ = std::move(out.reader);
  err_ = std::move(err.reader);
  if (!in) return;
  in_ = std::move(in->writer);
  fcntl(in_.get(), F_SETFL, fcntl(in_.get(), F_GETFL) | O_NONBLOCK);
}

void PipedChild::wait_and_read(const OutputSinks& sinks) {
  const bool writes = in_.get() >= 0 && !unwritten_.empty();
  std::array<pollfd, 4> files = {pollfd{more_ ? out_.get() : -1, POLLIN, 0},
                                 pollfd{more_errors_ ? err_.get() : -1, POLLIN, 0},
                                 pollfd{child_->descriptor(), POLLIN, 0}, pollfd{writes ? in_.get() : -1, POLLOUT, 0}};
  poll(files.data(), files.size(), 50);
  if (files[0].revents != 0) {
    more_ = read_some(out_.get(), [&](std::string_view bytes) { keep_output(bytes, sinks); });
  }
  if (files[1].revents != 0) {
    more_errors_ = read_some(err_.get(), [&](std::string_view bytes) { keep_errors(bytes, sinks); });
  }
  if (files[3].revents != 0) write_some();
}

void PipedChild::read_rest(const OutputSinks& sinks) {
  read_waiting(out_.get(), [&](std::string_view bytes) { keep_output(bytes, sinks); });
  read_waiting(err_.get(), [&](std::string_view bytes) { keep_errors(bytes, sinks); });
}

void PipedChild::end_line(const OutputSinks& sinks) {
  if (!line_.empty() && sinks.line) sinks.line(line_);
  line_.clear();
}

std::string PipedChild::take_errors() { return std::exchange(errors_, {}); }

void PipedChild::keep_output(std::string_view bytes, const OutputSinks& sinks) {
  if (sinks.output) sinks.output(bytes);
  for (const char c : bytes) {
    if (c == '\n') {
      if (sinks.line) sinks.line(line_);
      line_.clear();
    } else if (line_.size() < kLongestLine) {
      line_ += c;
    }
  }
}

void PipedChild::keep_errors(std::string_view bytes, const OutputSinks& sinks) {
  if (sinks.output) sinks.output(bytes);
  errors_ += bytes;
  if (errors_.size() > 2 * kMostErrors) errors_.erase(0, errors_.size() - kMostErrors);
}

void PipedChild::write_some() {
  const ssize_t count = write_without_signal(in_.get(), unwritten_);
  if (count > 0) unwritten_.erase(0, static_cast<std::size_t>(count));
  if (count < 0 && errno != EAGAIN && errno != EINTR) in_.reset();  // it reads no more; how it ends tells why
}

}  // namespace actforge
