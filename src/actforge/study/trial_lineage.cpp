#include "actforge/study/trial_lineage.h"

#include <set>

#include "actforge/study/standings.h"

namespace actforge {

std::optional<Trial> best_trial(Store& store, const StudySettings& settings) {
  const std::vector<Standing> top = standings(store, settings, 1);
  if (top.empty()) return std::nullopt;
  return store.find(top[0].trial.number).value_or(top[0].trial);
}

std::vector<Trial> trial_ancestors(Store& store, const Trial& trial) {
  std::vector<Trial> line;
  std::set<std::int64_t> seen = {trial.number};  // a damaged file might have a cycle
  for (std::optional<Trial> now = trial; !now->plan.parents.empty();) {
    now = store.find(now->plan.parents[0]);
    if (!now || !seen.insert(now->number).second) break;
    line.push_back(*now);
  }
  return line;
}

std::vector<Trial> trial_repeats(Store& store, std::int64_t number) {
  std::vector<Trial> repeats;
  if (store.counts().repeats == 0) return repeats;
  store.each([&](const Trial& trial) {
    if (trial.plan.repeat_of == number) repeats.push_back(trial);
  });
  return repeats;
}

}  // namespace actforge
