#include "actforge/study/study_map.h"

#include "actforge/base/error.h"
#include "actforge/search/maps/space_functions.h"
#include "actforge/space/find_space.h"
#include "actforge/study/mapped_functions.h"

namespace actforge {
namespace {

constexpr std::size_t kTrials = 1000, kOthers = 1500;
// A fifth of the inputs and less than half of the epochs show the same regions.
constexpr std::uint64_t kInputs = 200, kEpochs = 200;

// Of large studies the best.
void add_some_trials(FunctionSet& set, MappedFunctions& mapped, const OpenStudy& study) {
  const Objective objective = add_objective(mapped, study.settings);
  const auto add = [&](const Trial& trial) { add_trial(set, mapped, objective, trial); };
  if (study.store->counts().trials <= static_cast<std::int64_t>(kTrials)) return study.store->each(add);
  for (const Trial& trial : study.store->top(kTrials)) add(trial);
}

void add_others(FunctionSet& set, const OpenStudy& study) {
  try {
    add_functions(set, find_space(study.settings.space),
                  {.count = kOthers, .draw = true, .run = {.seed = study.settings.seed, .threads = 0}});
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kCancelled) throw;
    // The space was in a file that is not there any more: the trials are shown alone.
  }
}

}  // namespace

FunctionMapPicture study_map(const OpenStudy& study) {
  MappedFunctions mapped;
  FunctionSet set;
  add_some_trials(set, mapped, study);
  if (mapped.trials.empty()) return {};
  add_known(set, mapped);
  add_others(set, study);
  mapped.functions = set.functions();
  const RunContext run = {.seed = study.settings.seed, .threads = 0};
  Points outputs = kept_outputs(mapped, {.inputs = kInputs, .run = run});
  if (mapped.trials.empty()) return {};
  mapped.places = map_with_twins(std::move(outputs), {}, {.umap = {.epochs = kEpochs, .run = run}}).places;
  return map_picture(mapped);
}

}  // namespace actforge
