// find_function STUDY: a small search with an evaluator of our own, a function's distance from |x|; prints the best.
#include <actforge/expr/language/reference.h>
#include <actforge/study/study.h>
#include <actforge/study/worker.h>

#include <cmath>
#include <iostream>

namespace {

class NearToAbs : public actforge::Evaluator {
 public:
  actforge::TrialOutcome evaluate(const actforge::EvaluationRequest& request) override {
    const actforge::Reference function(request.function);
    double distance = 0;
    for (const double x : {-2.0, -1.0, 0.5, 3.0}) distance += std::abs(function.value(x) - std::abs(x));
    return {.scores = {-distance}};
  }
};

std::string best_function(actforge::Store& store) {
  double best = -INFINITY;
  std::string expression;
  store.each([&](const actforge::Trial& trial) {
    if (trial.outcome.scores.empty() || !(trial.outcome.scores[0] > best)) return;
    best = trial.outcome.scores[0];
    expression = trial.plan.expression;
  });
  return expression;
}

}  // namespace

int main(int, char** arguments) {
  actforge::StudySettings settings;
  settings.space = "unary(x)";
  settings.strategy = "exhaustive";
  settings.evaluator = "distance";  // ours takes its place
  settings.evaluate["target"] = "abs(x)";
  settings.trials = 40;
  actforge::complete_settings(settings);
  const auto store = actforge::create_study(arguments[1], settings);
  NearToAbs evaluator;
  actforge::run_worker({.location = arguments[1],
                        .settings = settings,
                        .name = {.name = actforge::worker_name(), .version = "consumer"}},
                       evaluator);
  std::cout << best_function(*store) << "\n";
}
