#pragma once

#include <optional>
#include <string>
#include <vector>

#include "actforge/search/strategies/trial_log.h"

namespace actforge {

// A log written by hand: functions with their scores, and repeats. No score: it failed.
class RepeatedLog {
 public:
  std::int64_t add(std::optional<double> score) { return append({.key = "k" + std::to_string(size())}, score); }

  std::int64_t repeat(std::int64_t number, std::optional<double> score) {
    TrialPlan plan = {.key = repeat_key(log_.trial(number).plan.key, log_.repeats_of(number).size() + 1)};
    plan.repeat_of = number;
    return append(std::move(plan), score);
  }

  // One that has not ended.
  void start_repeat(std::int64_t number) {
    Trial trial = {.number = size(), .outcome = {.status = TrialStatus::kRunning}};
    trial.plan = {.key = repeat_key(log_.trial(number).plan.key, log_.repeats_of(number).size() + 1)};
    trial.plan.repeat_of = number;
    log_.add(trial);
  }

  std::int64_t size() const { return static_cast<std::int64_t>(log_.trials().size()); }
  const TrialLog& log() const { return log_; }

 private:
  std::int64_t append(TrialPlan plan, std::optional<double> score) {
    Trial trial = {.number = size(), .plan = std::move(plan)};
    trial.plan.expression = "relu(x)";
    trial.finish_order = trial.number;
    if (score) {
      trial.outcome.scores = {*score};
    } else {
      trial.outcome = {.status = TrialStatus::kFailed, .reason = "the loss became undefined"};
    }
    log_.add(trial);
    return trial.number;
  }

  TrialLog log_;
};

}  // namespace actforge
