#include "actforge/search/strategies/fresh.h"

#include "actforge/base/error.h"
#include "actforge/expr/language/print.h"

namespace actforge {
namespace {

constexpr int kDraws = 1000;
constexpr int kSteps = 20000;

}  // namespace

TrialPlan plan_of(const Candidate& candidate, const FunctionKey& key) {
  return {.expression = to_call(candidate.function.expr),
          .hyperparameters = candidate.hyperparameters,
          .key = joint_key(key.canonical, candidate.hyperparameters),
          .fingerprint = joint_key(key.fingerprint, candidate.hyperparameters),
          .parents = candidate.parents,
          .origin = candidate.function.kind,
          .story = candidate.function.story};
}

FunctionKey joint_key(const FunctionKey& key, const Hyperparameters& values) {
  return {.canonical = joint_key(key.canonical, values), .fingerprint = joint_key(key.fingerprint, values)};
}

FunctionKey function_key(const TrialPlan& plan) {
  return {.canonical = function_part(plan.key), .fingerprint = function_part(plan.fingerprint)};
}

Offspring uniform_function(const Space& space, Random& random, std::string kind) {
  Offspring function{.expr = space.sample(random), .kind = std::move(kind)};
  function.story.push_back(function.kind + ": drawn from the space, all functions equally likely");
  return function;
}

std::optional<Offspring> try_mutate(const Space& space, const Expr& parent, Random& random) {
  try {
    return mutate(space, parent, random);
  } catch (const Error&) {
    return std::nullopt;
  }
}

bool keeps_function(const StrategySetup& setup, Random& random) {
  constexpr double kShare = 0.25;
  return !setup.hyperparameters.empty() && random.uniform() < kShare;
}

void give_hyperparameters(Candidate& candidate, const StrategySetup& setup, Random& random) {
  const HyperparameterSpace& space = setup.hyperparameters;
  if (space.empty()) return;
  const auto of = [&](std::size_t parent) -> const Hyperparameters& {
    return setup.log->trial(candidate.parents[parent]).plan.hyperparameters;
  };
  Hyperparameters& values = candidate.hyperparameters;
  const std::size_t parents = candidate.parents.size();
  values = parents == 0   ? space.draw(random)
           : parents == 1 ? space.mutate(of(0), random)
                          : space.mutate(space.cross(of(0), of(1), random), random);
  candidate.function.story.push_back(
      "hyperparameters: " + hyperparameters_text(values) +
      (parents == 0 ? ", drawn" : ", after the parent's " + hyperparameters_text(of(0))));
}

std::optional<TrialPlan> Fresh::plan(const Candidate& candidate, std::int64_t& refused) const {
  if (!space_.refusal(candidate.function.expr).empty()) {
    ++refused;
    return std::nullopt;
  }
  const FunctionKey key = keys_(candidate.function.expr);
  if (setup_.log->find(joint_key(key, candidate.hyperparameters))) return std::nullopt;
  return plan_of(candidate, key);
}

std::optional<TrialPlan> Fresh::completed(Candidate candidate, Random& random, std::int64_t& refused) const {
  give_hyperparameters(candidate, setup_, random);
  std::optional<TrialPlan> found = plan(candidate, refused);
  if (found) found->refused = refused;
  return found;
}

std::optional<TrialPlan> Fresh::first(Random& random, const std::function<Candidate()>& draw) const {
  std::int64_t refused = 0;
  for (int i = 0; i < kDraws; ++i) {
    if (auto found = completed(draw(), random, refused)) return found;
  }
  return std::nullopt;
}

std::optional<TrialPlan> Fresh::any(Random& random, const std::string& kind) const {
  if (auto found = first(random, [&] { return Candidate{uniform_function(space_, random, kind)}; })) return found;
  return walk(random, kind);
}

std::optional<TrialPlan> Fresh::walk(Random& random, const std::string& kind) const {
  Integer index = random_below(random, space_.total());
  std::int64_t refused = 0;
  for (int i = 0; i < kSteps && i < space_.total(); ++i) {
    Offspring function{.expr = space_.at(index), .kind = kind};
    function.story.push_back(kind + ": the next new function in the space's order after a random place");
    if (auto found = completed({std::move(function)}, random, refused)) return found;
    if (++index == space_.total()) index = 0;
  }
  return std::nullopt;
}

}  // namespace actforge
