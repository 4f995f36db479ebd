#include "actforge/search/strategies/fresh.h"
#include "actforge/search/strategies/strategy.h"

namespace actforge {
namespace {

// Depends on the functions tried before, not on their results, hence not on the time they take.
class RandomSearch : public Strategy {
 public:
  explicit RandomSearch(const StrategySetup& setup) : setup_(setup), fresh_(*setup.space, setup) {}

  Proposal ask(std::int64_t number) override {
    Random random(setup_.run.seed, static_cast<std::uint64_t>(number), "random");
    return propose_or_finish(fresh_.any(random, "random"));
  }

 private:
  StrategySetup setup_;
  Fresh fresh_;
};

std::string caution(const StrategyOptions& /*options*/, const StudyOutlook& outlook) {
  if (outlook.functions == 0 || outlook.functions >= kFewestToEvolve) return {};
  if (outlook.functions == 1) return "One function is too few to evolve: it is drawn at random.";
  return "About " + std::to_string(outlook.functions) +
         " functions are too few to evolve: they are drawn at random, and nothing is learned from one for the next.";
}

}  // namespace

StrategyRow random_strategy() {
  return {.name = "random",
          .summary = "functions of the space, all equally likely",
          .make = [](const StrategySetup& setup) -> std::unique_ptr<Strategy> {
            return std::make_unique<RandomSearch>(setup);
          },
          .caution = caution};
}

}  // namespace actforge
