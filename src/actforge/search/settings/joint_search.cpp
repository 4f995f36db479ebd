#include "actforge/search/settings/joint_search.h"

#include <algorithm>
#include <utility>

#include "actforge/base/error.h"
#include "actforge/base/find_named.h"
#include "actforge/recipe/train_options.h"

namespace actforge {
namespace {

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
  throw Error(ErrorCode::kUsage, "[space] with: '" + name + "' " + why);
}

// What other programs call options of training.
constexpr std::pair<std::string_view, std::string_view> kOtherNames[] = {
    {"lr", "learning-rate"}, {"wd", "weight-decay"}, {"batch-size", "batch"}, {"optim", "optimizer"}};

// A recipe would refuse some value only once it is drawn: the ends of its scale are tried now.
void check_training(const HyperparameterRange& range, const StudySettings& settings) {
  for (const auto& [other, name] : kOtherNames) {
    if (range.name == other) refuse(range.name, "is called '" + std::string(name) + "' here");
  }
  const TrainField& field = find_named(train_fields(), range.name, "training option");
  if (settings.train.contains(range.name)) {
    refuse(range.name, "is given in [train] too; leave it out there, for it is searched");
  }
  TrainOptions probe;
  std::vector<std::string> values = range.choices;
  if (range.scale != nullptr) values = {option_text(range.least), option_text(range.most)};
  for (const std::string& value : values) set_field(probe, field, value);
}

}  // namespace

HyperparameterSpace study_hyperparameters(const StudySettings& settings) {
  return HyperparameterSpace::parse(settings.with);
}

void complete_hyperparameters(StudySettings& settings) {
  const HyperparameterSpace space = study_hyperparameters(settings);
  settings.with = space.text();
  const EvaluatorRow& evaluator = find_evaluator(settings.evaluator);
  for (const HyperparameterRange& range : space.ranges()) {
    if (evaluator.trains) {
      check_training(range, settings);
    } else if (!evaluator.takes_hyperparameters) {
      refuse(range.name, "is not used: the evaluator is '" + settings.evaluator + "'");
    }
  }
}

}  // namespace actforge
