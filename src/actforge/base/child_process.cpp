#include "actforge/base/child_process.h"

#include <sys/socket.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "actforge/base/error.h"
#include "actforge/base/keeper.h"

namespace actforge {
namespace {

[[noreturn]] void throw_system_error(int number) {
  throw Error(ErrorCode::kFailed, std::string("cannot start a process: ") + std::strerror(number));
}

std::vector<std::string> full_environment(const ChildOptions& options) {
  std::vector<std::string> list;
  list.reserve(options.environment.size());
  for (const auto& [name, value] : options.environment) list.push_back(name + "=" + value);
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string text = *variable;
    const auto is_same = [&](const auto& added) { return text.starts_with(added.first + "="); };
    if (std::none_of(options.environment.begin(), options.environment.end(), is_same)) list.push_back(text);
  }
  return list;
}

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> list;
  list.reserve(texts.size() + 1);
  for (const std::string& text : texts) list.push_back(const_cast<char*>(text.c_str()));
  list.push_back(nullptr);
  return list;
}

// No signal reaches the keeper before it is ready: it would run handlers of this program.
class BlockedSignals {
 public:
  BlockedSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;

 private:
  sigset_t before_ = {};
};

pid_t fork_keeper(const ChildImage& image, int link) {
  const pid_t owner = getpid();
  const BlockedSignals blocked;
  const pid_t keeper = fork();
  if (keeper < 0) throw_system_error(errno);
  if (keeper == 0) keep_child(image, link, owner);
  return keeper;
}

ChildEnd read_status(int status) {
  return WIFSIGNALED(status) ? ChildEnd{true, WTERMSIG(status)} : ChildEnd{false, WEXITSTATUS(status)};
}

}  // namespace

ChildProcess::ChildProcess(const ChildOptions& options) {
  const std::vector<std::string> environment = full_environment(options);
  const std::vector<char*> arguments = pointers(options.command), variables = pointers(environment);
  const ChildImage image = {.arguments = arguments.data(),
                            .variables = variables.data(),
                            .directory = options.directory.empty() ? nullptr : options.directory.c_str(),
                            .files = {options.input, options.output, options.errors},
                            .grace = static_cast<int>(options.grace * 1000)};
  std::array<int, 2> ends = {};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) throw_system_error(errno);
  link_ = FileDescriptor(ends[0]);
  FileDescriptor keepers(ends[1]);
  keeper_ = fork_keeper(image, keepers.get());
  keepers.reset();
  receive(0);
  if (id_ < 0) {
    const int number = end_.by_signal ? ECHILD : end_.code;  // the keeper was killed, or could not fork
    if (link_.get() >= 0) reap(true);
    throw_system_error(number);
  }
}

ChildProcess::~ChildProcess() {
  if (link_.get() < 0) return;
  kill();
  wait();
}

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
  std::swap(link_, other.link_);
  std::swap(keeper_, other.keeper_);
  std::swap(id_, other.id_);
  std::swap(end_, other.end_);
  return *this;
}

// Takes a message from the keeper, if there is one.
bool ChildProcess::receive(int flags) {
  KeeperReport report;
  ssize_t size = -1;
  do {
    size = recv(link_.get(), &report, sizeof report, flags);
  } while (size < 0 && errno == EINTR);
  if (size < 0 && errno == EAGAIN) return false;
  if (size != sizeof report) {
    reap(false);
  } else if (report.kind == KeeperReport::Kind::kStarted) {
    id_ = report.value;
  } else if (report.kind == KeeperReport::Kind::kFailed) {
    end_ = {.by_signal = false, .code = report.value};
  } else {
    end_ = read_status(report.value);
    reap(true);
  }
  return true;
}

// By its number alone. This program may have reaped it already, or ignore its children: then nothing is known.
void ChildProcess::reap(bool reported) {
  link_.reset();
  int status = SIGKILL;
  while (waitpid(keeper_, &status, 0) < 0 && errno == EINTR) {
  }
  if (reported) return;
  // Somebody killed the keeper, and so its child. As long as there are others in the child's group, no other group can
  // have its number.
  end_ = read_status(status);
  if (id_ > 0) ::kill(-id_, SIGKILL);
}

bool ChildProcess::has_ended() {
  while (link_.get() >= 0 && receive(MSG_DONTWAIT)) {
  }
  return link_.get() < 0;
}

ChildEnd ChildProcess::wait() {
  while (link_.get() >= 0) receive(0);
  return end_;
}

void ChildProcess::order(char what) const {
  if (link_.get() >= 0) send(link_.get(), &what, 1, MSG_NOSIGNAL);
}

void ChildProcess::ask_to_stop() const { order(kAskToStop); }

void ChildProcess::kill() const { order(kEndNow); }

}  // namespace actforge
