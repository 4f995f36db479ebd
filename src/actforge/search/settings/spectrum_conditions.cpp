#include "actforge/search/settings/spectrum_conditions.h"

#include <algorithm>

#include "actforge/base/error.h"

namespace actforge {
namespace {

TrainTask first_task(const StudySettings& settings) {
  if (!find_evaluator(settings.evaluator).trains) {
    throw Error(ErrorCode::kUsage, "the study does not train a network (its evaluator is '" + settings.evaluator +
                                       "'), so there is no spectrum");
  }
  return train_tasks(settings).front();
}

SpectrumTask spectrum_task(const StudySettings& settings, const TrainTask& task, const FisherOptions& options) {
  SpectrumTask spectrum = {.dataset = task.dataset, .options = options, .normalise = task.options.normalise};
  spectrum.options.init = task.options.init;
  if (settings.subset > 0) spectrum.subset = settings.subset;
  if (settings.validation > 0) spectrum.validation = settings.validation;
  spectrum.run.seed = settings.seed;
  return spectrum;
}

// Version 1 wrote down every field, so that each new option would have orphaned what was measured before. What has its
// default is left out now. Whoever changes a default, or what a field means, raises the version.
constexpr std::string_view kVersion1 = "fisher: ", kVersion2 = "fisher 2: ";

using Fields = std::vector<std::string>;  // "name value"

Fields fields_of(const SpectrumTask& spectrum) {
  Fields fields;
  for (const FisherField& field : fisher_fields()) {
    fields.push_back(std::string(field.name) + " " + field_text(spectrum.options, field));
  }
  fields.push_back("normalise " + spectrum.normalise);
  fields.push_back("seed " + std::to_string(spectrum.run.seed));
  if (spectrum.subset) fields.push_back("subset " + std::to_string(*spectrum.subset));
  if (spectrum.validation) fields.push_back("validation " + std::to_string(*spectrum.validation));
  return fields;
}

// With the form as a field of its own, where there is one.
std::string group_text(const std::string& task, const Fields& fields) {
  const Fields defaults = fields_of({});
  std::string text = std::string(kVersion2) + task;
  for (const std::string& field : fields) {
    if (std::find(defaults.begin(), defaults.end(), field) == defaults.end()) text += ", " + field;
  }
  return text;
}

}  // namespace

SpectrumConditions spectrum_conditions(const StudySettings& settings, const FisherOptions& options) {
  SpectrumConditions conditions = {.task = first_task(settings)};
  conditions.spectrum = spectrum_task(settings, conditions.task, options);
  conditions.normal_form = settings.normal_form;
  Fields fields = fields_of(conditions.spectrum);
  if (settings.normal_form != "none") fields.push_back("normal-form " + settings.normal_form);
  conditions.group = group_text(conditions.task.names.name(), fields);
  return conditions;
}

std::string spectrum_group(const StudySettings& settings) {
  const EvaluatorRow& evaluator = find_evaluator(settings.evaluator);
  return evaluator.trains ? spectrum_conditions(settings).group : evaluator.nature(settings.evaluate).spectra;
}

// Version 1: "fisher: allcnn-mini on digits, batch 32, batches 1, ..."; the name of a network may have commas itself.
std::string current_spectrum_group(const std::string& group) {
  const std::size_t end = group.rfind(", batch ");
  if (!group.starts_with(kVersion1) || end == std::string::npos) return group;
  return group_text(group.substr(kVersion1.size(), end - kVersion1.size()), split_list(group.substr(end)));
}

}  // namespace actforge
