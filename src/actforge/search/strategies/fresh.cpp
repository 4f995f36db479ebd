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
          .key = key.canonical,
          .fingerprint = key.fingerprint,
          .parents = candidate.parents,
          .origin = candidate.function.kind,
          .story = candidate.function.story};
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

std::optional<TrialPlan> Fresh::plan(const Candidate& candidate) const {
  const FunctionKey key = keys_(candidate.function.expr);
  if (log_.find(key)) return std::nullopt;
  return plan_of(candidate, key);
}

std::optional<TrialPlan> Fresh::first(const std::function<Candidate()>& draw) const {
  for (int i = 0; i < kDraws; ++i) {
    if (auto found = plan(draw())) return found;
  }
  return std::nullopt;
}

std::optional<TrialPlan> Fresh::any(Random& random, const std::string& kind) const {
  if (auto found = first([&] { return Candidate{uniform_function(space_, random, kind)}; })) return found;
  return walk(random, kind);
}

std::optional<TrialPlan> Fresh::walk(Random& random, const std::string& kind) const {
  Integer index = random_below(random, space_.total());
  for (int i = 0; i < kSteps && i < space_.total(); ++i) {
    Offspring function{.expr = space_.at(index), .kind = kind};
    function.story.push_back(kind + ": the next new function in the space's order after a random place");
    if (auto found = plan({std::move(function)})) return found;
    if (++index == space_.total()) index = 0;
  }
  return std::nullopt;
}

}  // namespace actforge
