#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "actforge/search/strategies/strategy.h"
#include "actforge/space/offspring.h"

namespace actforge {

// A function that a strategy would like to try, and its parents' numbers.
struct Candidate {
  Offspring function = {};
  std::vector<std::int64_t> parents = {};
};

// The origin of a trial that no strategy has chosen: somebody has put its function in front.
inline constexpr const char* kEnqueued = "enqueued";

TrialPlan plan_of(const Candidate& candidate, const FunctionKey& key);

// A function of the space, all equally likely.
Offspring uniform_function(const Space& space, Random& random, std::string kind);

// Nothing where no operator of the parent has an alternative in the space.
std::optional<Offspring> try_mutate(const Space& space, const Expr& parent, Random& random);

// Finds functions that no trial of the study equals.
class Fresh {
 public:
  Fresh(const Space& space, const StrategySetup& setup) : space_(space), log_(*setup.log), keys_(setup.sameness) {}

  // The plan of a candidate; nothing where it is known.
  std::optional<TrialPlan> plan(const Candidate& candidate) const;
  // The first of 1,000 draws that is not known.
  std::optional<TrialPlan> first(const std::function<Candidate()>& draw) const;
  // Any function of the space: a uniform draw; where 1,000 of these are known, the next one in the space's order after
  // a random place. Nothing when 20,000 from there are known too: a smaller space is then used up for certain.
  std::optional<TrialPlan> any(Random& random, const std::string& kind) const;

 private:
  std::optional<TrialPlan> walk(Random& random, const std::string& kind) const;

  const Space& space_;
  const TrialLog& log_;
  FunctionKeys keys_;
};

inline Proposal propose(TrialPlan plan) { return {.kind = Proposal::Kind::kTrial, .plan = std::move(plan)}; }
// Another evaluation of a trial's function; its key and seed are the study's business.
inline Proposal repeat_trial(std::int64_t number) { return {.plan = {.repeat_of = number}}; }
inline Proposal wait_for_others() { return {.kind = Proposal::Kind::kWait}; }
inline Proposal finished() { return {.kind = Proposal::Kind::kFinished}; }
// A plan, or the end of a space in which there is nothing new.
inline Proposal propose_or_finish(std::optional<TrialPlan> plan) {
  return plan ? propose(std::move(*plan)) : finished();
}

}  // namespace actforge
