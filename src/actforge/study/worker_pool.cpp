#include "actforge/study/worker_pool.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "actforge/base/error.h"
#include "actforge/study/worker.h"
#include "actforge/study/worker_environment.h"

namespace actforge {
namespace {

// Enough for a worker to give its trial back, should this process die.
constexpr double kGrace = 10;

FileDescriptor file_in_memory() {
  FileDescriptor file(memfd_create("errors", MFD_CLOEXEC));
  if (file.get() >= 0) return file;
  throw Error(ErrorCode::kFailed, std::string("cannot keep a worker's messages: ") + std::strerror(errno));
}

std::string end_of(const FileDescriptor& file) {
  std::array<char, 4096> buffer{};
  const off_t size = lseek(file.get(), 0, SEEK_END);
  const off_t from = std::max<off_t>(0, size - static_cast<off_t>(buffer.size()));
  const ssize_t count = pread(file.get(), buffer.data(), buffer.size(), from);
  return count > 0 ? std::string(buffer.data(), static_cast<std::size_t>(count)) : std::string();
}

}  // namespace

std::size_t WorkerPool::free_place() const {
  std::size_t place = 0;
  while (std::ranges::find(workers_, place, &Worker::place) != workers_.end()) ++place;
  return place;
}

void WorkerPool::start() {
  const std::size_t place = free_place();
  FileDescriptor errors = file_in_memory();
  ChildProcess process(
      {.command = command_, .environment = worker_environment(place, gpus_), .errors = errors.get(), .grace = kGrace});
  std::string name = worker_name(process.id());
  workers_.push_back({std::move(errors), std::move(process), std::move(name), place});
}

std::vector<WorkerExit> WorkerPool::ended() {
  std::vector<WorkerExit> exits;
  std::erase_if(workers_, [&](Worker& worker) {
    if (!worker.process.has_ended()) return false;
    exits.push_back(describe(worker));
    return true;
  });
  return exits;
}

WorkerExit WorkerPool::describe(Worker& worker) {
  const ChildEnd end = worker.process.wait();
  return {.worker = worker.name, .by_signal = end.by_signal, .code = end.code, .message = end_of(worker.errors)};
}

void WorkerPool::stop(bool at_once) {
  for (const Worker& worker : workers_) at_once ? worker.process.kill() : worker.process.ask_to_stop();
}

std::vector<std::string> WorkerPool::names() const {
  std::vector<std::string> names;
  names.reserve(workers_.size());
  for (const Worker& worker : workers_) names.push_back(worker.name);
  return names;
}

}  // namespace actforge
