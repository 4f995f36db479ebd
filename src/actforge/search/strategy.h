#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "actforge/search/trial_log.h"
#include "actforge/space/space.h"
#include "actforge/store/store.h"

namespace actforge {

// The numbers of all strategies, with the dissertation's values. What each means stands once, in the table of
// strategy_options.cpp, from which the command line's help, study files and stored settings come.
struct StrategyOptions {
  // cafe
  std::uint64_t cafe_population = 50;
  std::uint64_t generations = 10;
  std::uint64_t elites = 5;
  std::uint64_t newcomers = 10;
  // pangaea
  std::uint64_t population = 64;
  std::uint64_t sample = 16;
  double threshold = 0.2;
};

// What a strategy may look at. All of it outlives the strategy.
struct StrategySetup {
  const Space* space = nullptr;
  const TrialLog* log = nullptr;
  StrategyOptions options = {};
  std::uint64_t seed = 0;
  std::size_t objectives = 1;
};

// Chooses the next function. A strategy keeps nothing that cannot be found again from the log: its choices come from
// (seed, trial number or generation, purpose) and from the trials of the log, so that a study that was stopped anywhere
// goes on as if it had not been.
class Strategy {
 public:
  virtual ~Strategy() = default;
  // The trial of this number, which is the log's next. kWait: when others have ended. kFinished: never again.
  virtual Proposal ask(std::int64_t number) = 0;
};

// A row of the table in strategies.cpp.
struct StrategyRow {
  std::string_view name;
  std::string_view summary;
  std::unique_ptr<Strategy> (*make)(const StrategySetup& setup);
};
std::span<const StrategyRow> strategies();
// Throws Error (kUsage) with the nearest name.
const StrategyRow& find_strategy(std::string_view name);

}  // namespace actforge
