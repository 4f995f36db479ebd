#include <algorithm>
#include <limits>

#include "actforge/expr/parse.h"
#include "actforge/search/fresh.h"
#include "actforge/search/make_strategies.h"
#include "actforge/search/ranking.h"

namespace actforge {
namespace {

// Section "Discovering Activation Functions with Evolution", in the asynchronous form of appendix "Compute
// Infrastructure and Cost": a parent comes from the P functions that were evaluated most recently. With one worker that
// is the sliding window of regularised evolution, from which the oldest function goes when one is added.
class Pangaea : public Strategy {
 public:
  Pangaea(const StrategySetup& setup, std::optional<Space> own_space = std::nullopt)
      : setup_(setup),
        own_space_(std::move(own_space)),
        space_(own_space_ ? *own_space_ : *setup.space),
        fresh_(space_, *setup.log) {}
  Pangaea(const Pangaea&) = delete;  // space_ may point into itself
  Pangaea& operator=(const Pangaea&) = delete;

  Proposal ask(std::int64_t number) override {
    Random random(setup_.seed, static_cast<std::uint64_t>(number), "pangaea");
    const bool is_first = number < static_cast<std::int64_t>(setup_.options.population);
    const Ranking population(*setup_.log, is_first ? std::vector<std::int64_t>() : recent(), setup_.objectives);
    // A child that is known is drawn again, its parent with it: of one parent all children may be known.
    auto plan =
        fresh_.first([&] { return population.size() == 0 ? first_function(random) : child(population, random); });
    return propose_or_finish(plan ? std::move(plan) : fresh_.any(random, "random"));
  }

 private:
  // What became of a trial does not keep it from having been evaluated, but from having children.
  bool admitted(const Trial& trial) const {
    return has_result(trial, setup_.objectives) && trial.outcome.scores[0] >= setup_.options.threshold &&
           space_.admits(parse(trial.plan.expression));
  }

  // The P that ended last among those admitted, or as many as there are.
  std::vector<std::int64_t> recent() const {
    std::vector<std::int64_t> numbers;
    const std::vector<std::int64_t>& finished = setup_.log->finished();
    for (auto at = finished.rbegin(); at != finished.rend() && numbers.size() < setup_.options.population; ++at) {
      if (admitted(setup_.log->trial(*at))) numbers.push_back(*at);
    }
    return numbers;
  }

  Candidate first_function(Random& random) const {
    const bool has_forms = space_.is_graph_space() && *space_.definition().max_nodes >= 3;
    return {has_forms ? initial(space_, random) : uniform_function(space_, random, "initial")};
  }

  Candidate child(const Ranking& population, Random& random) const {
    std::size_t best = random.below(population.size());
    for (std::uint64_t i = 1; i < setup_.options.sample; ++i) {
      const std::size_t drawn = random.below(population.size());
      if (population.better(drawn, best)) best = drawn;
    }
    const std::int64_t parent = population.number(best);
    auto mutant = try_mutate(space_, parse(setup_.log->trial(parent).plan.expression), random);
    if (!mutant) return {uniform_function(space_, random, "random")};
    return {std::move(*mutant), {parent}};
  }

  StrategySetup setup_;
  std::optional<Space> own_space_;
  const Space& space_;
  Fresh fresh_;
};

}  // namespace

std::unique_ptr<Strategy> make_pangaea(const StrategySetup& setup) { return std::make_unique<Pangaea>(setup); }

std::unique_ptr<Strategy> make_pangaea_without_parameters(const StrategySetup& setup) {
  SpaceDefinition definition = setup.space->definition();
  definition.parameters = 0;
  return std::make_unique<Pangaea>(setup, Space(definition));
}

// P = 1, S = 1, V = 0%: an accuracy is never less, while a negative loss is, so that nothing is asked of either.
std::unique_ptr<Strategy> make_mutation(const StrategySetup& setup) {
  StrategySetup changed = setup;
  changed.options.population = 1;
  changed.options.sample = 1;
  changed.options.threshold = -std::numeric_limits<double>::infinity();
  return std::make_unique<Pangaea>(changed);
}

}  // namespace actforge
