#pragma once

#include <signal.h>
#include <sys/types.h>

#include <chrono>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace actforge {

// A command of ChildOptions; arguments that are added to it are $1, $2, ... of the script.
inline std::vector<std::string> shell(const std::string& script) { return {"/bin/sh", "-c", script, "sh"}; }

// Whether it is so within twenty seconds.
inline bool soon(const std::function<bool()>& condition) {
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > limit) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

// A process that has ended is gone, whether its parent has asked for it or not.
inline bool is_there(pid_t process) {
  if (kill(process, 0) != 0) return false;
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string text;
  std::getline(file, text);
  const std::size_t end = text.rfind(')');
  return end != std::string::npos && text.substr(end + 2, 1) != "Z" && text.substr(end + 2, 1) != "X";
}

// The kernel takes a moment to end what was killed.
inline bool is_soon_gone(const std::string& process) {
  return soon([&] { return !is_there(std::stoi(process)); });
}

}  // namespace actforge
