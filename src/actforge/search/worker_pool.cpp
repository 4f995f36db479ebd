#include "actforge/search/worker_pool.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>

#include "actforge/base/error.h"
#include "actforge/search/worker.h"

namespace actforge {

void WorkerPool::start() {
  std::vector<char*> arguments;
  for (const std::string& word : command_) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const int errors = memfd_create("errors", MFD_CLOEXEC);
  if (errors < 0)
    throw Error(ErrorCode::kFailed, std::string("cannot keep a worker's messages: ") + std::strerror(errno));
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) {
    close(errors);
    throw Error(ErrorCode::kFailed, std::string("cannot start a worker: ") + std::strerror(errno));
  }
  if (child == 0) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(127);
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    dup2(nothing, STDIN_FILENO);
    dup2(nothing, STDOUT_FILENO);
    dup2(errors, STDERR_FILENO);
    execv(arguments[0], arguments.data());
    _exit(127);
  }
  setpgid(child, child);
  workers_.push_back({child, errors, worker_name(child)});
}

WorkerPool::WorkerPool(std::vector<std::string> command) : command_(std::move(command)) {
  // What a killed worker leaves behind, such as a command that trains, becomes a child of ours; see kill_strays().
  prctl(PR_SET_CHILD_SUBREAPER, 1);
}

WorkerPool::~WorkerPool() {
  stop(true);
  for (const Process& process : workers_) {
    waitpid(process.id, nullptr, 0);
    close(process.errors);
  }
  workers_.clear();
  kill_strays();
}

// Children of this process that are no workers, with all of their groups.
void WorkerPool::kill_strays() const {
  const std::string self = std::to_string(getpid());
  std::ifstream file("/proc/" + self + "/task/" + self + "/children");
  for (pid_t child = 0; file >> child;) {
    const bool known = std::any_of(workers_.begin(), workers_.end(), [&](const Process& w) { return w.id == child; });
    if (known) continue;
    const pid_t group = getpgid(child);
    if (group > 0 && group != getpgrp()) kill(-group, SIGKILL);
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
  }
}

std::vector<WorkerExit> WorkerPool::ended() {
  std::vector<WorkerExit> exits;
  for (auto process = workers_.begin(); process != workers_.end();) {
    int status = 0;
    if (waitpid(process->id, &status, WNOHANG) != process->id) {
      ++process;
      continue;
    }
    kill(-process->id, SIGKILL);  // what it may have left
    exits.push_back(describe(*process, status));
    close(process->errors);
    process = workers_.erase(process);
  }
  if (!exits.empty()) kill_strays();
  return exits;
}

WorkerExit WorkerPool::describe(const Process& process, int status) {
  WorkerExit exit = {.worker = process.name, .by_signal = WIFSIGNALED(status), .code = 0, .message = {}};
  exit.code = exit.by_signal ? WTERMSIG(status) : WEXITSTATUS(status);
  std::array<char, 4096> buffer{};
  const off_t size = lseek(process.errors, 0, SEEK_END);
  const off_t from = std::max<off_t>(0, size - static_cast<off_t>(buffer.size()));
  const ssize_t count = pread(process.errors, buffer.data(), buffer.size(), from);
  if (count > 0) exit.message.assign(buffer.data(), static_cast<std::size_t>(count));
  return exit;
}

void WorkerPool::stop(bool at_once) {
  for (const Process& process : workers_) kill(at_once ? -process.id : process.id, at_once ? SIGKILL : SIGTERM);
}

std::vector<std::string> WorkerPool::names() const {
  std::vector<std::string> names;
  for (const Process& process : workers_) names.push_back(process.name);
  return names;
}

}  // namespace actforge
