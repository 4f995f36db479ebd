#include "actforge/study/enqueue.h"

#include "actforge/expr/language/print.h"
#include "actforge/search/settings/joint_search.h"
#include "actforge/search/strategies/fresh.h"
#include "actforge/space/find_space.h"
#include "actforge/study/study.h"

namespace actforge {
namespace {

TrialPlan plan_in_front(const StudySettings& settings, const Expr& function, const FunctionKey& key,
                        std::int64_t number) {
  Candidate candidate = {.function = {.expr = function, .kind = kEnqueued},
                         .hyperparameters = study_hyperparameters(settings).middle()};
  candidate.function.story.push_back(std::string(kEnqueued) + ": added by search enqueue");
  TrialPlan plan = plan_of(candidate, key);
  plan.seed = first_seed(settings, number);
  return plan;
}

}  // namespace

std::vector<EnqueuedFunction> enqueue_functions(Store& store, const StudySettings& settings,
                                                const std::vector<Expr>& functions) {
  const Space space = find_space(settings.space);
  const FunctionKeys keys(sameness(settings));
  // It also knows functions whose stored fingerprints are of another version.
  TrialLog log(sameness(settings));
  std::int64_t seen = 0;
  std::vector<EnqueuedFunction> results;
  for (const Expr& function : functions) {
    for (const Trial& change : store.changes(seen)) log.add(change);
    EnqueuedFunction one = {.expression = to_call(function), .in_space = space.admits(function)};
    const FunctionKey key = keys(function);
    if (const auto equal = log.find(joint_key(key, study_hyperparameters(settings).middle()))) {
      one.result = {.number = *equal};
    } else {
      one.result = store.enqueue([&](std::int64_t number) { return plan_in_front(settings, function, key, number); });
    }
    results.push_back(std::move(one));
  }
  return results;
}

}  // namespace actforge
