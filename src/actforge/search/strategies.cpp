#include <limits>

#include "actforge/base/error.h"
#include "actforge/base/suggest.h"
#include "actforge/search/make_strategies.h"

namespace actforge {
namespace {

constexpr StrategyRow kTable[] = {
    {"exhaustive", "every function of the space once, in its order", make_exhaustive, true},
    {"random", "functions of the space, all equally likely", make_random},
    {"cafe", "CAFE: generations; parents by the softmax of their scores, crossover, then mutation", make_cafe, true},
    {"pangaea", "PANGAEA: regularised evolution; the best of a sample of the most recent functions is mutated",
     make_pangaea},
    {"pangaea-no-parameters", "the same without learnable parameters", make_pangaea_without_parameters},
    {"mutation", "PANGAEA without selection: each function is a mutation of the last", make_mutation},
    {"aquasurf", "AQuaSurF: the function that is predicted to be best, from where it is on a map of the space",
     make_aquasurf},
};

}  // namespace

std::span<const StrategyRow> strategies() { return kTable; }

const StrategyRow& find_strategy(std::string_view name) {
  std::vector<std::string_view> names;
  for (const StrategyRow& row : kTable) {
    if (row.name == name) return row;
    names.push_back(row.name);
  }
  const std::string near = did_you_mean(name, names);
  throw Error(ErrorCode::kUsage, "unknown strategy '" + std::string(name) + "'" +
                                     (near.empty() ? "; there are: " + name_list(names) : near));
}

std::int64_t default_trials(const StrategyRow& strategy, const StrategyOptions& options) {
  if (strategy.name == "cafe") {
    // At most: those that were tried before cost nothing.
    return static_cast<std::int64_t>(options.cafe_population +
                                     (options.generations - 1) * (options.cafe_population - options.elites));
  }
  if (strategy.name == "aquasurf") return static_cast<std::int64_t>(options.evaluations);
  return strategy.ends ? std::numeric_limits<std::int64_t>::max() : static_cast<std::int64_t>(options.trials);
}

}  // namespace actforge
