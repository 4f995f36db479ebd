#include "actforge/step_clock.h"

namespace actforge::tool {
namespace {

double seconds_between(std::chrono::steady_clock::time_point from, std::chrono::steady_clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

}  // namespace

void StepClock::begin(const std::string& step) {
  end();
  if (interrupt_.requested()) throw Stopped{};
  step_ = step;
  step_start_ = Clock::now();
  line_ = std::make_unique<Progress>(step);
}

void StepClock::show(const std::string& step, std::uint64_t done, std::uint64_t total) {
  if (interrupt_.requested()) throw Stopped{};
  if (step != step_) begin(step);
  line_->show(done, total);
}

void StepClock::end() {
  line_.reset();
  if (!step_.empty()) steps_.emplace_back(step_, seconds_between(step_start_, Clock::now()));
  step_.clear();
}

double StepClock::seconds() const { return seconds_between(start_, Clock::now()); }

}  // namespace actforge::tool
