#include "tools/actforge/common/step_clock.h"

#include "tools/actforge/common/messages.h"

namespace actforge::tool {
namespace {

double seconds_between(std::chrono::steady_clock::time_point from, std::chrono::steady_clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

}  // namespace

void StepClock::begin(std::string_view step) {
  end();
  step_ = step;
  step_start_ = Clock::now();
  line_ = std::make_unique<Progress>(step_);
}

void StepClock::show(std::string_view step, std::uint64_t done, std::uint64_t total) {
  if (step != step_) begin(step);
  line_->show(done, total);
}

void StepClock::end() {
  line_.reset();
  if (!step_.empty()) {
    steps_.emplace_back(step_, seconds_between(step_start_, Clock::now()));
    detail("{}: {:.3f} s", step_, steps_.back().second);
  }
  step_.clear();
}

RunContext StepClock::context(std::uint64_t seed, std::size_t threads) {
  RunContext context = interrupt_.context();
  context.seed = seed;
  context.threads = threads;
  context.progress = [this](std::string_view step, std::size_t done, std::size_t total) { show(step, done, total); };
  return context;
}

double StepClock::seconds() const { return seconds_between(start_, Clock::now()); }

}  // namespace actforge::tool
