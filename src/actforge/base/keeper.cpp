#include "actforge/base/keeper.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <csignal>
#include <ctime>

namespace actforge {
namespace {

// As shells say it.
constexpr int kNoDirectory = 126, kNoProgram = 127;

// Files of the owner may have the numbers 0 to 2, which are about to be replaced.
int moved_up(int file) { return fcntl(file, F_DUPFD_CLOEXEC, 3); }

void set_standard_files(const std::array<int, 3>& files) {
  const int nothing = moved_up(open("/dev/null", O_RDWR | O_CLOEXEC));
  std::array<int, 3> moved = {};
  for (int i = 0; i < 3; ++i) moved[i] = files[i] < 0 ? nothing : moved_up(files[i]);
  for (int i = 0; i < 3; ++i) dup2(moved[i], i);  // these copies outlive exec()
}

[[noreturn]] void become_child(const ChildImage& image, pid_t keeper) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != keeper) _exit(kNoProgram);
  // What the owner ignores would otherwise be ignored here: `yes | head` would never end.
  for (const int number : {SIGINT, SIGTERM, SIGPIPE}) std::signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  set_standard_files(image.files);
  if (image.directory != nullptr && chdir(image.directory) != 0) _exit(kNoDirectory);
  execve(image.arguments[0], image.arguments, image.variables);
  _exit(kNoProgram);
}

int open_signals() {
  sigset_t awaited;
  sigemptyset(&awaited);
  for (const int number : {SIGCHLD, SIGHUP, SIGTERM, SIGINT}) sigaddset(&awaited, number);
  return signalfd(-1, &awaited, SFD_CLOEXEC | SFD_NONBLOCK);
}

long milliseconds() {
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1'000'000;
}

// Kills the children of this process; false where the system does not list them. A number counts only with the blank
// behind it: the buffer may have cut it.
bool kill_children() {
  std::array<char, 4096> text;
  const int file = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const ssize_t size = read(file, text.data(), text.size());
  close(file);
  pid_t child = 0;
  for (ssize_t i = 0; i < size; ++i) {
    if (text[i] != ' ') {
      child = 10 * child + (text[i] - '0');
      continue;
    }
    kill(child, SIGKILL);
    child = 0;
  }
  return true;
}

class Keeper {
 public:
  Keeper(const ChildImage& image, int link, pid_t owner) : image_(image), link_(link), owner_(owner) {}

  [[noreturn]] void run() {
    signals_ = open_signals();
    leader_ = fork();
    if (leader_ == 0) become_child(image_, self_);
    if (leader_ < 0) give_up();
    setpgid(leader_, leader_);  // in both, so that neither has to wait for the other
    let_go_of_files();
    report(KeeperReport::Kind::kStarted, leader_);
    while (!leader_has_ended() && !is_late()) wait();
    end();
  }

 private:
  [[noreturn]] void give_up() const {
    report(KeeperReport::Kind::kFailed, errno);
    _exit(0);
  }

  void report(KeeperReport::Kind kind, int value) const {
    const KeeperReport message = {kind, value};
    send(link_, &message, sizeof message, MSG_NOSIGNAL);
  }

  // Whoever waits for the end of a pipe of the owner's does not wait for this process.
  void let_go_of_files() {
    set_standard_files({-1, -1, -1});
    link_ = dup2(moved_up(link_), 3);
    signals_ = dup2(moved_up(signals_), 4);
    close_range(5, UINT_MAX, 0);
  }

  // It is not reaped yet: until it is, no other process or group can get its number.
  bool leader_has_ended() const {
    siginfo_t info = {};
    return waitid(P_PID, static_cast<id_t>(leader_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == leader_;
  }

  bool is_late() const { return deadline_ >= 0 && milliseconds() >= deadline_; }

  void wait() {
    std::array<pollfd, 2> files = {pollfd{is_orphan_ ? -1 : link_, POLLIN, 0}, pollfd{signals_, POLLIN, 0}};
    const long left = deadline_ < 0 ? -1 : std::max(0L, deadline_ - milliseconds());
    poll(files.data(), files.size(), static_cast<int>(left));
    if (files[0].revents != 0) obey();
    if (files[1].revents != 0) look_at_signals();
  }

  void obey() {
    char order = 0;
    const ssize_t size = recv(link_, &order, 1, MSG_DONTWAIT);
    if (size < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (size <= 0) return lose_owner();
    order == kAskToStop ? ask_to_stop() : end_by(0);
  }

  void look_at_signals() {
    signalfd_siginfo signal = {};
    while (read(signals_, &signal, sizeof signal) == sizeof signal) {
      if (signal.ssi_signo == SIGTERM || signal.ssi_signo == SIGINT) ask_to_stop();
      // It also comes when the thread that started us ends, which is nothing to us.
      if (signal.ssi_signo == SIGHUP && getppid() != owner_) lose_owner();
    }
  }

  void lose_owner() {
    if (is_orphan_) return;
    is_orphan_ = true;
    if (image_.grace > 0) ask_to_stop();
    end_by(image_.grace);
  }

  void ask_to_stop() const { kill(leader_, SIGTERM); }
  void end_by(long busy_timeout) { deadline_ = milliseconds() + busy_timeout; }

  [[noreturn]] void end() const {
    kill(-leader_, SIGKILL);
    int status = 0;
    while (waitpid(leader_, &status, 0) < 0 && errno == EINTR) {
    }
    end_orphans();
    report(KeeperReport::Kind::kEnded, status);
    _exit(0);
  }

  // Each that dies may leave others to us.
  static void end_orphans() {
    while (kill_children()) {
      const pid_t ended = waitpid(-1, nullptr, WNOHANG);
      if (ended < 0 && errno == ECHILD) return;
      if (ended == 0) poll(nullptr, 0, 1);
    }
  }

  const ChildImage& image_;
  int link_, signals_ = -1;
  const pid_t owner_, self_ = getpid();
  pid_t leader_ = -1;
  bool is_orphan_ = false;
  long deadline_ = -1;  // when all is ended; negative: not yet known
};

}  // namespace

void keep_child(const ChildImage& image, int link, pid_t owner) {
  setpgid(0, 0);  // Ctrl-C in a terminal is for the owner
  prctl(PR_SET_NAME, "actforge-keeper");
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  prctl(PR_SET_PDEATHSIG, SIGHUP);
  std::signal(SIGCHLD, SIG_DFL);  // ignored, children would vanish without a status
  if (getppid() != owner) _exit(kNoProgram);
  Keeper(image, link, owner).run();
}

}  // namespace actforge
