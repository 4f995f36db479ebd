#include "actforge/study_map.h"

#include "actforge/base/error.h"
#include "actforge/embed_functions.h"
#include "actforge/search/space_functions.h"
#include "actforge/space/find_space.h"

namespace actforge::tool {
namespace {

constexpr std::size_t kTrials = 1000, kOthers = 1500;
// A fifth of the inputs and less than half of the epochs show the same regions.
constexpr std::uint64_t kInputs = 200, kEpochs = 200;

// Of large studies the best.
void add_some_trials(FunctionSet& set, EmbedAnswer& answer, const OpenStudy& study) {
  const Objective objective = add_objective(answer, study.settings);
  const auto add = [&](const Trial& trial) { add_trial(set, answer, objective, trial); };
  if (study.store->counts().trials <= static_cast<std::int64_t>(kTrials)) return study.store->each(add);
  for (const Trial& trial : study.store->top(kTrials)) add(trial);
}

// None where the space was in a file that is not there any more.
void add_others(FunctionSet& set, const OpenStudy& study) {
  try {
    add_functions(set, find_space(study.settings.space), {.count = kOthers, .draw = true, .seed = study.settings.seed});
  } catch (const Error&) {
  }
}

}  // namespace

FunctionMapPicture study_map(const OpenStudy& study) {
  EmbedAnswer answer;
  FunctionSet set;
  add_some_trials(set, answer, study);
  if (answer.trials.empty()) return {};
  add_known(set, answer);
  add_others(set, study);
  answer.functions = set.functions();
  Points outputs = kept_outputs(answer, {.inputs = kInputs, .seed = study.settings.seed});
  if (answer.trials.empty()) return {};
  answer.places =
      map_with_twins(std::move(outputs), {}, {.umap = {.epochs = kEpochs, .seed = study.settings.seed}}).places;
  return map_picture(answer);
}

}  // namespace actforge::tool
