#include "actforge/search/fresh.h"
#include "actforge/search/make_strategies.h"

namespace actforge {
namespace {

// Depends on the functions tried before, not on their results, hence not on the time they take.
class RandomSearch : public Strategy {
 public:
  explicit RandomSearch(const StrategySetup& setup) : setup_(setup), fresh_(*setup.space, *setup.log) {}

  Proposal ask(std::int64_t number) override {
    Random random(setup_.seed, static_cast<std::uint64_t>(number), "random");
    return propose_or_finish(fresh_.any(random, "random"));
  }

 private:
  StrategySetup setup_;
  Fresh fresh_;
};

}  // namespace

std::unique_ptr<Strategy> make_random(const StrategySetup& setup) { return std::make_unique<RandomSearch>(setup); }

}  // namespace actforge
