#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "actforge/base/run_context.h"
#include "tools/actforge/common/interrupt.h"
#include "tools/actforge/common/progress.h"

namespace actforge::tool {

// The steps of long work, one after the other: how far each is, on a terminal, and how long it took.
class StepClock {
 public:
  // Also ends the step before.
  void begin(std::string_view step);
  // The first call with another name begins a step.
  void show(std::string_view step, std::uint64_t done, std::uint64_t total);
  void end();

  // For the library: it tells its steps to this clock, which outlives it, and stops when the user wants to.
  RunContext context(std::uint64_t seed, std::size_t threads);

  // Seconds of every step so far.
  const std::vector<std::pair<std::string, double>>& steps() const { return steps_; }
  double seconds() const;

 private:
  using Clock = std::chrono::steady_clock;
  Interrupt interrupt_;
  std::unique_ptr<Progress> line_;
  Clock::time_point start_ = Clock::now(), step_start_ = start_;
  std::string step_;
  std::vector<std::pair<std::string, double>> steps_;
};

}  // namespace actforge::tool
