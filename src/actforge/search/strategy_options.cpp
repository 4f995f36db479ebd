#include "actforge/search/strategy_options.h"

#include <limits>
#include <vector>

#include "actforge/base/error.h"
#include "actforge/base/suggest.h"

namespace actforge {
namespace {

using O = StrategyOptions;

constexpr double kNoThreshold = -std::numeric_limits<double>::infinity();

constexpr StrategyField kFields[] = {
    {"trials", "of random, pangaea and its baselines: functions evaluated in all (C)", &O::trials, 1, 1e9},
    {"cafe-population", "of cafe: functions in a generation (N)", &O::cafe_population, 1, 1e6},
    {"generations", "of cafe: the first, random one included", &O::generations, 1, 1e6},
    {"elites", "of cafe: the best of a generation, which stay in the next", &O::elites, 0, 1e6},
    {"newcomers", "of cafe: random functions in each generation (m)", &O::newcomers, 0, 1e6},
    {"population", "of pangaea: the most recent functions, from which parents come (P)", &O::population, 1, 1e6},
    {"sample", "of pangaea: functions drawn from them, of which the best is the parent (S)", &O::sample, 1, 1e6},
    {"threshold",
     "of pangaea: the least score of a parent (V), in the unit of the first objective; -inf lets all pass, as a loss "
     "needs",
     &O::threshold, kNoThreshold},
};

// Small enough for a search that takes a CPU a few minutes, with the proportions of the dissertation.
constexpr StrategyOptions kMini = {
    .trials = 60, .cafe_population = 12, .generations = 4, .elites = 2, .newcomers = 3, .population = 8, .sample = 4};

constexpr StrategyPreset kPresets[] = {
    {"paper", "the dissertation's numbers", {}},
    {"mini", "for a CPU: 60 trials with a population of 8; four generations of 12", kMini},
};

}  // namespace

std::span<const StrategyField> strategy_fields() { return kFields; }

void check_options(const StrategyOptions& options) {
  if (options.elites + options.newcomers > options.cafe_population) {
    throw Error(ErrorCode::kUsage,
                "--elites and --newcomers are " + std::to_string(options.elites + options.newcomers) +
                    " together, more than --cafe-population, " + std::to_string(options.cafe_population));
  }
}

std::span<const StrategyPreset> strategy_presets() { return kPresets; }

const StrategyPreset& find_strategy_preset(std::string_view name) {
  std::vector<std::string_view> names;
  for (const StrategyPreset& row : kPresets) {
    if (row.name == name) return row;
    names.push_back(row.name);
  }
  const std::string near = did_you_mean(name, names);
  throw Error(ErrorCode::kUsage, "unknown preset '" + std::string(name) + "'" +
                                     (near.empty() ? "; there are: " + name_list(names) : near));
}

}  // namespace actforge
