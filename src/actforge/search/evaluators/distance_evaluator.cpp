// A function with a known answer: how near is another one? For trying out strategies and workers without training.
#include <chrono>
#include <cmath>
#include <thread>

#include "actforge/base/error.h"
#include "actforge/expr/language/parse.h"
#include "actforge/expr/language/reference.h"
#include "actforge/search/evaluators/evaluator.h"

namespace actforge {
namespace {

struct DistanceOptions {
  std::string target = "";
  double delay = 0;
};

using O = DistanceOptions;

constexpr OptionField<O> kFields[] = {
    {"target", "of evaluator distance: the function to find", &O::target},
    {"delay", "of evaluator distance: seconds that it pretends to work", &O::delay, 0, 3600},
};

class DistanceEvaluator : public Evaluator {
 public:
  DistanceEvaluator(const DistanceOptions& options, std::vector<Objective> objectives)
      : delay_(options.delay), objectives_(std::move(objectives)), target_(read_target(options.target)) {}

  // accuracy: 1/(1 + d), loss: d, where d is the root of the mean square of the difference on [-3, 3].
  TrialOutcome evaluate(const EvaluationRequest& request) override {
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(delay_);
    while (std::chrono::steady_clock::now() < end) {
      request.run.check();
      std::this_thread::sleep_for(std::min<std::chrono::duration<double>>(std::chrono::milliseconds(10),
                                                                          end - std::chrono::steady_clock::now()));
    }
    const double distance = distance_of(request.function);
    if (!std::isfinite(distance)) return {.status = TrialStatus::kFailed, .reason = "not finite on [-3, 3]"};
    TrialOutcome outcome;
    for (const Objective& objective : objectives_) {
      outcome.scores.push_back(objective.measure == "cost"   ? cost_score(request.function)
                               : objective.measure == "loss" ? -distance
                                                             : 1 / (1 + distance));
    }
    outcome.metrics = "{\"distance\":" + option_text(distance) + "}";
    return outcome;
  }

 private:
  static Reference read_target(const std::string& text) {
    try {
      return Reference(parse(text));
    } catch (const Error& error) {
      throw Error(ErrorCode::kUsage, "[evaluate] target '" + text + "': " + error.what());
    }
  }

  double distance_of(const Expr& function) const {
    constexpr int kPoints = 301;
    const Reference other(function);
    double sum = 0;
    for (int i = 0; i < kPoints; ++i) {
      const double x = -3 + 6 * static_cast<double>(i) / (kPoints - 1);
      const double difference = other.value(x) - target_.value(x);
      sum += difference * difference;
    }
    return std::sqrt(sum / kPoints);
  }

  double delay_;
  std::vector<Objective> objectives_;
  Reference target_;
};

std::unique_ptr<Evaluator> make(const EvaluatorSetup& setup) {
  return std::make_unique<DistanceEvaluator>(read_options<DistanceOptions>(setup.options, kFields), setup.objectives);
}

}  // namespace

EvaluatorRow distance_evaluator() {
  return {
      .name = "distance",
      .summary = "the distance to a target function",
      .fields = {evaluator_field(kFields[0], {.is_needed = true, .is_identity = true}), evaluator_field(kFields[1])},
      .make = make,
      .nature = [](const EvaluatorOptions&) { return EvaluatorNature{.fractions = true}; }};
}

}  // namespace actforge
