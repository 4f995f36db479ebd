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
  Hyperparameters hyperparameters = {};
};

// The origin of a trial that no strategy has chosen: somebody has put its function in front.
inline constexpr const char* kEnqueued = "enqueued";

// `key` is the function's own.
TrialPlan plan_of(const Candidate& candidate, const FunctionKey& key);
FunctionKey joint_key(const FunctionKey& key, const Hyperparameters& values);
// That of a trial's function alone.
FunctionKey function_key(const TrialPlan& plan);

// A function of the space, all equally likely.
Offspring uniform_function(const Space& space, Random& random, std::string kind);

// Nothing where no operator of the parent has an alternative in the space.
std::optional<Offspring> try_mutate(const Space& space, const Expr& parent, Random& random);

// In a joint search, one child of four has its parent's function, and differs in hyperparameters alone. Without
// hyperparameters no random number is taken.
bool keeps_function(const StrategySetup& setup, Random& random);

// Hyperparameters of a candidate: mutated ones of its parent, crossed and mutated ones of two, else any. The story says
// so. Does nothing where none are searched.
void give_hyperparameters(Candidate& candidate, const StrategySetup& setup, Random& random);

// Finds functions that no trial of the study equals and that the space does not refuse.
class Fresh {
 public:
  Fresh(const Space& space, const StrategySetup& setup) : space_(space), setup_(setup), keys_(setup.sameness) {}

  // The plan of a candidate; nothing where it is known, or refused, which counts.
  std::optional<TrialPlan> plan(const Candidate& candidate, std::int64_t& refused) const;
  std::optional<TrialPlan> plan(const Candidate& candidate) const {
    std::int64_t refused = 0;
    return plan(candidate, refused);
  }
  // The first of 1,000 draws that is new. It gets hyperparameters.
  std::optional<TrialPlan> first(Random& random, const std::function<Candidate()>& draw) const;
  // Any function of the space: a uniform draw; where 1,000 of these are not new, the next one in the space's order
  // after a random place. Nothing when 20,000 from there are not new either: a smaller space is then used up for
  // certain.
  std::optional<TrialPlan> any(Random& random, const std::string& kind) const;

 private:
  std::optional<TrialPlan> walk(Random& random, const std::string& kind) const;
  std::optional<TrialPlan> completed(Candidate candidate, Random& random, std::int64_t& refused) const;

  const Space& space_;
  StrategySetup setup_;
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
