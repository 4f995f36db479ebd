#include "actforge/search/fisher_features.h"

#include <set>

#include "actforge/base/error.h"
#include "actforge/expr/print.h"
#include "actforge/search/study.h"
#include "actforge/search/train_tasks.h"

namespace actforge {
namespace {

TrainTask first_task(const StudySettings& settings) {
  if (settings.evaluator != "train") {
    throw Error(ErrorCode::kUsage, "the study does not train a network (its evaluator is '" + settings.evaluator +
                                       "'), so there is no spectrum");
  }
  return train_tasks(settings).front();
}

FisherRun run_of(const StudySettings& settings, const TrainTask& task, FisherOptions options) {
  options.init = task.options.init;
  FisherRun run = {.dataset = task.dataset, .options = options, .normalise = task.options.normalise};
  if (settings.subset > 0) run.subset = settings.subset;
  if (settings.validation > 0) run.validation = settings.validation;
  run.seed = settings.seed;
  run.threads = 0;
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

FisherFeatures::FisherFeatures(const StudySettings& settings, const FisherOptions& options)
    : FisherFeatures(settings, options, first_task(settings)) {}

FisherFeatures::FisherFeatures(const StudySettings& settings, const FisherOptions& options, const TrainTask& task)
    : run_(run_of(settings, task, options)), network_(task.network()), group_(group_of(run_, task.names.name())) {}

std::vector<Expr> FisherFeatures::missing(Store& store, std::span<const Expr> functions) const {
  const std::vector<std::string> keys_there = store.feature_keys(group_);
  std::set<std::string> known(keys_there.begin(), keys_there.end());
  const FunctionKeys keys;
  std::vector<Expr> wanted;
  for (const Expr& function : functions) {
    if (known.insert(keys(function).canonical).second) wanted.push_back(function);
  }
  return wanted;
}

void FisherFeatures::measure(Store& store, std::span<const Expr> functions, const Observer& observer) const {
  if (functions.empty()) return;
  const FisherProbe probe(run_);
  const FunctionKeys keys;
  std::size_t done = 0;
  probe.measure_all(network_, functions, [&](std::size_t number, const FisherSpectrum& spectrum) {
    StudyFeatures features = {.group = group_, .expression = to_call(functions[number])};
    features.key = keys(functions[number]).canonical;
    features.valid = spectrum.valid;
    features.reason = spectrum.reason;
    if (spectrum.valid) features.values = fisher_features(spectrum);
    features.noise = spectrum.noise;
    features.seconds = spectrum.seconds;
    features.version = software_version();
    store.add_features(features);
    return !observer || observer(++done, features);
  });
}

}  // namespace actforge
