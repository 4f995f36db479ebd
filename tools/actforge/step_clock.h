#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "actforge/interrupt.h"
#include "actforge/progress.h"

namespace actforge::tool {

// Thrown out of long work when the user wants to stop.
struct Stopped {};

// The steps of long work, one after the other: how far each is, on a terminal, and how long it took.
class StepClock {
 public:
  // Also ends the step before.
  void begin(const std::string& step);
  // Throws Stopped. The first call with another name begins a step.
  void show(const std::string& step, std::uint64_t done, std::uint64_t total);
  void end();

  // Seconds of every step so far.
  const std::vector<std::pair<std::string, double>>& steps() const { return steps_; }
  double seconds() const;
  const Interrupt& interrupt() const { return interrupt_; }

 private:
  using Clock = std::chrono::steady_clock;
  Interrupt interrupt_;
  std::unique_ptr<Progress> line_;
  Clock::time_point start_ = Clock::now(), step_start_ = start_;
  std::string step_;
  std::vector<std::pair<std::string, double>> steps_;
};

}  // namespace actforge::tool
