#include "actforge/store/checks.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "actforge/base/error.h"

namespace actforge {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorCode::kFailed, why); }

[[noreturn]] void refuse(std::int64_t number, const std::string& why) {
  refuse("trial " + std::to_string(number) + ": " + why);
}

void check_metrics(const std::string& text, std::int64_t number) {
  if (!is_metrics(text)) refuse(number, "its metrics are not a JSON object: " + text);
}

bool all_finite(const std::vector<float>& values) {
  return std::all_of(values.begin(), values.end(), [](float value) { return std::isfinite(value); });
}

}  // namespace

void check_options(const StoreOptions& options) {
  if (options.attempts < 1) throw Error(ErrorCode::kUsage, "a trial needs at least one attempt");
  if (!(options.busy_timeout >= 0))
    throw Error(ErrorCode::kUsage, "the busy timeout of a study must be at least 0 seconds");
}

void check_worker(const WorkerName& worker) {
  if (worker.name.empty()) refuse("a worker needs a name");
  if (!(worker.lease > 0) || !std::isfinite(worker.lease)) {
    refuse("the lease of worker '" + worker.name + "' is not a time");
  }
}

void check_plan(const TrialPlan& plan, std::int64_t number) {
  // Without one, nothing would keep the same function from being evaluated twice.
  if (plan.key.empty()) refuse(number, "it has no key");
  if (plan.refused < 0) refuse(number, "it has refused functions less than none");
  for (const std::int64_t parent : plan.parents) {
    if (parent < 0 || parent >= number)
      refuse(number, "its parent " + std::to_string(parent) + " is not an earlier trial");
  }
  if (plan.repeat_of >= number) {
    refuse(number, "it repeats trial " + std::to_string(plan.repeat_of) + ", which is not an earlier one");
  }
}

void check_outcome(const TrialOutcome& outcome, std::int64_t number) {
  if (!is_over(outcome.status)) {
    refuse(number, "'" + std::string(trial_status_name(outcome.status)) + "' is not the status of a result");
  }
  if (outcome.status == TrialStatus::kCompleted && outcome.scores.empty()) {
    refuse(number, "it is completed, but has no score");
  }
  for (const double score : outcome.scores) {
    if (!std::isfinite(score)) refuse(number, "its score " + std::to_string(score) + " is not a finite number");
  }
  if (!std::isfinite(outcome.seconds)) refuse(number, "its time is not a finite number");
  check_metrics(outcome.metrics, number);
}

void check_point(const CurvePoint& point, std::int64_t number) {
  if (!std::isfinite(point.score)) {
    refuse(number, "its score in epoch " + std::to_string(point.epoch) + " is not a finite number");
  }
  check_metrics(point.metrics, number);
}

void check_run(const StudyRun& run) {
  if (run.group.empty() || run.key.empty() || run.repeat < 0) refuse("a run has no group, no key or no number");
  check_outcome(run.outcome, run.repeat);
}

void check_features(const StudyFeatures& features) {
  check_target({.group = features.group, .expression = features.expression, .key = features.key});
  const std::vector<float>& values = features.values;
  if (static_cast<std::int64_t>(values.size()) > kMostFeatures || values.empty() == features.valid ||
      !all_finite(values)) {
    refuse("features of '" + features.expression + "' are not finite numbers");
  }
}

void check_target(const FeatureTarget& target) {
  if (target.group.empty() || target.key.empty()) refuse("features have no group or no key");
}

void check_seconds(double seconds) {
  if (!std::isfinite(seconds)) refuse("the time worked is not a finite number");
}

bool is_metrics(const std::string& text) {
  return text.empty() || (text.find_first_not_of(" \t\r\n") == text.find('{') && nlohmann::json::accept(text));
}

}  // namespace actforge
