#include <sys/types.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <fstream>
#include <sstream>

#include "actforge/study/worker.h"

namespace actforge {
namespace {

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? std::string(name.data()) : "unknown";
}

// When a process began, in ticks since the machine did; empty where there is none. Numbers of processes come again, the
// two together do not. The 22nd field; the second is a name in parentheses, with anything in it.
std::string process_start(const std::string& process) {
  std::ifstream file("/proc/" + process + "/stat");
  std::string text;
  if (!std::getline(file, text)) return {};
  const std::size_t end = text.rfind(')');
  if (end == std::string::npos) return {};
  std::istringstream fields(text.substr(end + 1));
  std::string field;
  for (int i = 3; i <= 22; ++i) fields >> field;
  return field;
}

// A process that has ended, but that nobody has asked for, does not work any more.
bool is_zombie(const std::string& process) {
  std::ifstream file("/proc/" + process + "/stat");
  std::string text;
  std::getline(file, text);
  const std::size_t end = text.rfind(')');
  return end != std::string::npos && end + 2 < text.size() && (text[end + 2] == 'Z' || text[end + 2] == 'X');
}

}  // namespace

std::string worker_name() { return worker_name(getpid()); }

std::string worker_name(int number) {
  const std::string process = std::to_string(number);
  return host_name() + ":" + process + ":" + process_start(process);
}

bool worker_is_alive(const std::string& name) {
  const std::size_t second = name.rfind(':');
  const std::size_t first = second == std::string::npos || second == 0 ? second : name.rfind(':', second - 1);
  if (first == std::string::npos || name.substr(0, first) != host_name()) return true;
  const std::string process = name.substr(first + 1, second - first - 1);
  if (process.empty() || process.find_first_not_of("0123456789") != std::string::npos) return true;
  return process_start(process) == name.substr(second + 1) && !is_zombie(process);
}

void release_dead_workers(Store& store) {
  for (const std::string& worker : store.workers()) {
    if (!worker_is_alive(worker)) store.release_dead(worker);
  }
}

}  // namespace actforge
