#include "actforge/search/strategy_options.h"

#include <limits>
#include <vector>

#include "actforge/base/error.h"
#include "actforge/base/suggest.h"
#include "actforge/expr/parse.h"

namespace actforge {
namespace {

using O = StrategyOptions;

constexpr double kNoThreshold = -std::numeric_limits<double>::infinity();

const StrategyField kFields[] = {
    {{"trials", "of random, pangaea and its baselines: functions evaluated in all (C)", &O::trials, 1, 1e9}, ""},
    {{"cafe-population", "of cafe: functions in a generation (N)", &O::cafe_population, 1, 1e6}, "cafe"},
    {{"generations", "of cafe: the first, random one included", &O::generations, 1, 1e6}, "cafe"},
    {{"elites", "of cafe: the best of a generation, which stay in the next", &O::elites, 0, 1e6}, "cafe"},
    {{"newcomers", "of cafe: random functions in each generation (m)", &O::newcomers, 0, 1e6}, "cafe"},
    {{"population", "of pangaea: the most recent functions, from which parents come (P)", &O::population, 1, 1e6},
     "pangaea"},
    {{"sample", "of pangaea: functions drawn from them, of which the best is the parent (S)", &O::sample, 1, 1e6},
     "pangaea"},
    {{"threshold",
      "of pangaea: the least score of a parent (V), in the unit of the first objective; -inf lets all pass, as a loss "
      "needs",
      &O::threshold, kNoThreshold},
     "pangaea"},
    {{"evaluations", "of aquasurf: functions evaluated in all, those at the start included", &O::evaluations, 1, 1e9},
     "aquasurf"},
    {{"start", "of aquasurf: functions evaluated first, by commas", &O::start}, "aquasurf"},
    {{"start-random", "of aquasurf: random functions of the space evaluated after those", &O::start_random, 0, 1e6},
     "aquasurf"},
    {{"features", "of aquasurf: what functions are compared by; auto: both, where a network is trained, else outputs",
      &O::features, 0, 0, "auto outputs eigenvalues both"},
     "aquasurf"},
    {{"inputs", "of aquasurf: places at which outputs are compared", &O::inputs, 1, 1e6}, "aquasurf"},
    {{"evenly", "of aquasurf: these in equal steps from -5 to 5, not drawn from a normal distribution", &O::evenly},
     "aquasurf"},
    {{"pool", "of aquasurf: random functions of the space that are compared at first; 0: all of it", &O::pool, 0, 1e8},
     "aquasurf"},
    {{"growth", "of aquasurf: further spectra that a worker measures after each trial", &O::growth, 0, 1e6},
     "aquasurf"},
    {{"output-neighbours", "of aquasurf: neighbours by outputs in the map", &O::output_neighbours, 2, 1e4}, "aquasurf"},
    {{"spectrum-neighbours", "of aquasurf: neighbours by eigenvalues in the map", &O::spectrum_neighbours, 2, 1e4},
     "aquasurf"},
    {{"min-dist", "of aquasurf: how close functions may come in the map", &O::min_dist, 0, 1}, "aquasurf"},
    {{"dimensions", "of aquasurf: coordinates of the map", &O::dimensions, 1, 1000}, "aquasurf"},
    {{"regressor", "of aquasurf: what predicts scores from places in the map", &O::regressor, 0, 0,
      "knn forest svr gp"},
     "aquasurf"},
    {{"acquisition", "of aquasurf with regressor gp: what makes a function promising", &O::acquisition, 0, 0,
      "maximum expected-improvement probability-of-improvement upper-confidence-bound"},
     "aquasurf"},
    {{"exploration", "of aquasurf: share of the trials that are random functions", &O::exploration, 0, 1}, "aquasurf"},
};

// Small enough for a search that takes a CPU a few minutes, with the proportions of the dissertation.
StrategyOptions mini() {
  return {.trials = 60,
          .cafe_population = 12,
          .generations = 4,
          .elites = 2,
          .newcomers = 3,
          .population = 8,
          .sample = 4,
          .evaluations = 50,
          .pool = 1000};
}

const StrategyPreset kPresets[] = {
    {"paper", "the dissertation's numbers", {}},
    {"mini", "for a CPU: 60 trials with a population of 8; four generations of 12; 50 out of 1,000", mini()},
};

}  // namespace

std::span<const StrategyField> strategy_fields() { return kFields; }

void check_options(const StrategyOptions& options) {
  if (options.elites + options.newcomers > options.cafe_population) {
    throw Error(ErrorCode::kUsage,
                "--elites and --newcomers are " + std::to_string(options.elites + options.newcomers) +
                    " together, more than --cafe-population, " + std::to_string(options.cafe_population));
  }
  starting_functions(options);
}

std::vector<Expr> starting_functions(const StrategyOptions& options) {
  std::vector<Expr> functions;
  if (options.start.find_first_not_of(' ') == std::string::npos) return functions;
  for (const std::string& text : split_functions(options.start)) {
    try {
      functions.push_back(parse(text));
    } catch (const Error& error) {
      throw Error(ErrorCode::kUsage, "--start: '" + text + "': " + error.what());
    }
  }
  return functions;
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
