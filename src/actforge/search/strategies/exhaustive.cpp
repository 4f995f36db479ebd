#include <algorithm>
#include <limits>

#include "actforge/expr/language/parse.h"
#include "actforge/search/strategies/fresh.h"
#include "actforge/search/strategies/strategy_rows.h"

namespace actforge {
namespace {

constexpr const char* kOrigin = "exhaustive";

class Exhaustive : public Strategy {
 public:
  explicit Exhaustive(const StrategySetup& setup) : setup_(setup), fresh_(*setup.space, setup) {}

  Proposal ask(std::int64_t /*number*/) override {
    const Space& space = *setup_.space;
    Integer index = next_index();
    if (index < all_known_below_) index = all_known_below_;
    for (; index < space.total(); ++index) {
      Offspring function{.expr = space.at(index), .kind = kOrigin};
      function.story.push_back("exhaustive: function " + with_commas(index) + " of " + with_commas(space.total()));
      if (auto plan = fresh_.plan({std::move(function)})) return propose(std::move(*plan));
      all_known_below_ = index;
      ++all_known_below_;
    }
    return finished();
  }

 private:
  // After the last trial of this strategy. Where a function fits several schemas of a space, index_of() gives the first
  // place; it was tried there, for at the later places it was known.
  Integer next_index() const {
    const std::vector<Trial>& trials = setup_.log->trials();
    const auto last =
        std::find_if(trials.rbegin(), trials.rend(), [](const Trial& trial) { return trial.plan.origin == kOrigin; });
    if (last == trials.rend()) return 0;
    std::optional<Integer> index = setup_.space->index_of(parse(last->plan.expression));
    if (!index) return 0;
    return ++*index;
  }

  StrategySetup setup_;
  Fresh fresh_;
  Integer all_known_below_ = 0;  // saves the walk when asked again
};

}  // namespace

StrategyRow exhaustive_strategy() {
  return {.name = "exhaustive",
          .summary = "every function of the space once, in its order",
          .make = [](const StrategySetup& setup) -> std::unique_ptr<Strategy> {
            return std::make_unique<Exhaustive>(setup);
          },
          .ends = true,
          .races = false,
          .trials = [](const StrategyOptions&) { return std::numeric_limits<std::uint64_t>::max(); }};
}

}  // namespace actforge
