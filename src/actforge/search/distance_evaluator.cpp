// A function with a known answer: how near is another one? For trying out strategies and workers without training.
#include <chrono>
#include <cmath>
#include <thread>

#include "actforge/base/error.h"
#include "actforge/expr/parse.h"
#include "actforge/expr/reference.h"
#include "actforge/search/evaluator.h"

namespace actforge {
namespace {

class DistanceEvaluator : public Evaluator {
 public:
  explicit DistanceEvaluator(const StudySettings& settings)
      : delay_(settings.delay), objectives_(study_objectives(settings)), target_(read_target(settings.target)) {}

  // accuracy: 1/(1 + d), loss: d, where d is the root of the mean square of the difference on [-3, 3].
  TrialOutcome evaluate(const EvaluationRequest& request) override {
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(delay_);
    while (std::chrono::steady_clock::now() < end) {
      if (request.stop()) return {.status = TrialStatus::kQueued};
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

}  // namespace

std::unique_ptr<Evaluator> make_distance_evaluator(const StudySettings& settings) {
  return std::make_unique<DistanceEvaluator>(settings);
}

}  // namespace actforge
