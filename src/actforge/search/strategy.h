#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "actforge/search/strategy_options.h"
#include "actforge/search/trial_log.h"
#include "actforge/space/space.h"
#include "actforge/store/store.h"

namespace actforge {

// What a strategy may look at. All of it outlives the strategy.
struct StrategySetup {
  const Space* space = nullptr;
  const TrialLog* log = nullptr;
  StrategyOptions options = {};
  std::uint64_t seed = 0;
  std::size_t objectives = 1;
  std::size_t threads = 1;
  // Where spectra of functions are, and under which conditions they were measured (spectrum_conditions.h). Without:
  // there are none.
  Store* store = nullptr;
  std::string spectra = {};
};

// Chooses the next function. A strategy keeps nothing that cannot be found again: its choices come from (seed, trial
// number or generation, purpose), from the trials of the log and from features in the store, so that a study that was
// stopped anywhere goes on as if it had not been. Asked again without a change of the log, it says the same.
class Strategy {
 public:
  virtual ~Strategy() = default;
  // The trial of this number, which is the log's next. Its function equals none in the log. kWait: when others have
  // ended. kFinished: never again.
  virtual Proposal ask(std::int64_t number) = 0;

  // What takes long, before a question: nobody waits for it. Asked without, the strategy does it then.
  virtual void prepare() {}
  // Functions whose features the strategy waits for, or would like to know; measured by workers that have time.
  virtual std::vector<const Expr*> wanted() const { return {}; }
  // Whether it has the features that it cannot do without, and how many more there are.
  virtual bool is_ready() const { return true; }
  virtual std::size_t later_features() const { return 0; }
};

// A row of the table in strategies.cpp.
struct StrategyRow {
  std::string_view name;
  std::string_view summary;
  std::unique_ptr<Strategy> (*make)(const StrategySetup& setup);
  bool ends = false;  // by itself; the others go on for StrategyOptions::trials
};
std::span<const StrategyRow> strategies();
// Throws Error (kUsage) with the nearest name.
const StrategyRow& find_strategy(std::string_view name);

// A study's budget where the user gave none.
std::int64_t default_trials(const StrategyRow& strategy, const StrategyOptions& options);

}  // namespace actforge
