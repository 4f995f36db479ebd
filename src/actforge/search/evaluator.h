#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "actforge/expr/expr.h"
#include "actforge/search/study_settings.h"
#include "actforge/store/trial.h"

namespace actforge {

struct EvaluationRequest {
  Expr function = {};
  std::string expression = {};  // its call form
  std::int64_t trial = 0;
  std::uint64_t seed = 0;
  bool test = false;     // scores are those on the test images; never in a search
  bool details = false;  // metrics also tell how learned parameters moved
  std::string stage = "search";
  // Asked often; true: somebody wants us to stop, and the result does not matter.
  std::function<bool()> stop = [] { return false; };
  // After every epoch; false: the trial is given up, the result is what there is.
  std::function<bool(const CurvePoint& point)> report = [](const CurvePoint&) { return true; };
};

// Gives a function its scores, one for each of study_objectives(), more is better. The status is kCompleted; kFailed
// where the function is no good (the loss became undefined); kStopped where report() said so, with the scores so far;
// kQueued where stop() said so. Throws Error where the evaluation itself broke: then it may be tried again.
class Evaluator {
 public:
  virtual ~Evaluator() = default;
  virtual TrialOutcome evaluate(const EvaluationRequest& request) = 0;
};

// A row of the table in evaluators.cpp. Null: in the library with LibTorch (make_train_evaluator).
struct EvaluatorRow {
  std::string_view name;
  std::unique_ptr<Evaluator> (*make)(const StudySettings& settings);
};
std::span<const EvaluatorRow> evaluators();
// Throws Error (kBadInput, kUsage) where the settings do not make sense: a table that cannot be read, a target that is
// no function.
std::unique_ptr<Evaluator> make_evaluator(const StudySettings& settings);

// By file.
std::unique_ptr<Evaluator> make_command_evaluator(const StudySettings& settings);   // command_evaluator.cpp
std::unique_ptr<Evaluator> make_table_evaluator(const StudySettings& settings);     // table_evaluator.cpp
std::unique_ptr<Evaluator> make_distance_evaluator(const StudySettings& settings);  // distance_evaluator.cpp
std::unique_ptr<Evaluator> make_train_evaluator(const StudySettings& settings);     // train_evaluator.cpp, LibTorch

// The score of the cost: minus the nanoseconds per number, forward and backward.
double cost_score(const Expr& function);

}  // namespace actforge
