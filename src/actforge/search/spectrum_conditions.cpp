#include "actforge/search/spectrum_conditions.h"

#include "actforge/base/error.h"

namespace actforge {
namespace {

TrainTask first_task(const StudySettings& settings) {
  if (settings.evaluator != "train") {
    throw Error(ErrorCode::kUsage, "the study does not train a network (its evaluator is '" + settings.evaluator +
                                       "'), so there is no spectrum");
  }
  return train_tasks(settings).front();
}

FisherRun run_of(const StudySettings& settings, const TrainTask& task, const FisherOptions& options) {
  FisherRun run = {.dataset = task.dataset, .options = options, .normalise = task.options.normalise};
  run.options.init = task.options.init;
  if (settings.subset > 0) run.subset = settings.subset;
  if (settings.validation > 0) run.validation = settings.validation;
  run.seed = settings.seed;
  return run;
}

std::string group_of(const FisherRun& run, const std::string& task) {
  std::string text = "fisher: " + task;
  for (const FisherField& field : fisher_fields()) {
    text += ", " + std::string(field.name) + " " + field_text(run.options, field);
  }
  text += ", normalise " + run.normalise + ", seed " + std::to_string(run.seed);
  if (run.subset) text += ", subset " + std::to_string(*run.subset);
  if (run.validation) text += ", validation " + std::to_string(*run.validation);
  return text;
}

}  // namespace

SpectrumConditions spectrum_conditions(const StudySettings& settings, const FisherOptions& options) {
  SpectrumConditions conditions = {.task = first_task(settings)};
  conditions.run = run_of(settings, conditions.task, options);
  conditions.group = group_of(conditions.run, conditions.task.names.name());
  return conditions;
}

}  // namespace actforge
