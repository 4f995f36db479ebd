#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace actforge::tool {

// A line on standard error that says how far long work is; nothing where that is not a terminal.
class Progress {
 public:
  explicit Progress(std::string what);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // `note` stands before the time left.
  void show(std::uint64_t done, std::uint64_t total, const std::string& note = {});
  // Takes the line away, so that others may write; it comes back by itself.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  std::string what_;
  bool is_terminal_;
  bool shown_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_;
};

}  // namespace actforge::tool
