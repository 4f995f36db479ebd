#include "actforge/search/settings/study_evaluator.h"

#include "actforge/base/error.h"
#include "actforge/search/settings/joint_search.h"
#include "actforge/search/settings/train_tasks.h"

namespace actforge {

std::unique_ptr<Evaluator> make_evaluator(const StudySettings& settings, std::span<const EvaluatorFactory> factories) {
  const EvaluatorRow& row = find_evaluator(settings.evaluator);
  if (row.make != nullptr) {
    EvaluatorSetup setup = {.options = settings.evaluate, .objectives = study_objectives(settings)};
    for (const auto& [name, value] : study_hyperparameters(settings).middle()) setup.hyperparameters.push_back(name);
    return row.make(setup);
  }
  for (const EvaluatorFactory& factory : factories) {
    if (factory.name == row.name) return factory.make(settings);
  }
  throw Error(ErrorCode::kUsage, "the evaluator '" + settings.evaluator + "' is not one of this library");
}

void check_evaluator(const StudySettings& settings) {
  const EvaluatorRow& row = find_evaluator(settings.evaluator);
  if (row.trains) train_tasks(settings);
  if (row.make != nullptr) make_evaluator(settings);
}

}  // namespace actforge
