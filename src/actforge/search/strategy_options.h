#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "actforge/base/option_field.h"
#include "actforge/expr/expr.h"

namespace actforge {

// The numbers of all strategies, with the dissertation's values. What each means stands once, in the table of
// strategy_options.cpp, from which the command line's help, study files and stored settings come.
struct StrategyOptions {
  // random, pangaea and its baselines
  std::uint64_t trials = 1000;
  // cafe
  std::uint64_t cafe_population = 50;
  std::uint64_t generations = 10;
  std::uint64_t elites = 5;
  std::uint64_t newcomers = 10;
  // pangaea
  std::uint64_t population = 64;
  std::uint64_t sample = 16;
  double threshold = 0.2;
  // aquasurf
  std::uint64_t evaluations = 108;
  std::string start = "elu(x), relu(x), selu(x), sigmoid(x), softplus(x), softsign(x), swish(x), tanh(x)";
  std::uint64_t start_random = 0;
  std::string features = "auto";
  std::uint64_t inputs = 1000;
  bool evenly = false;
  std::uint64_t pool = 5000;
  std::uint64_t growth = 3;
  std::uint64_t output_neighbours = 15;
  std::uint64_t spectrum_neighbours = 3;
  double min_dist = 0.1;
  std::uint64_t dimensions = 2;
  std::string regressor = "knn";
  std::string acquisition = "maximum";
  double exploration = 0;
};

// One option, and the strategies that read it: all whose names begin like this.
struct StrategyField : OptionField<StrategyOptions> {
  std::string_view strategy;
};
std::span<const StrategyField> strategy_fields();

// Checks what depends on several fields. Throws Error (kUsage).
void check_options(const StrategyOptions& options);

// Those of `start`. Throws Error (kUsage) for what is no function.
std::vector<Expr> starting_functions(const StrategyOptions& options);

// A named set of options.
struct StrategyPreset {
  std::string_view name;
  std::string_view summary;
  StrategyOptions options;
};
std::span<const StrategyPreset> strategy_presets();
// Throws Error (kUsage) with the nearest name.
const StrategyPreset& find_strategy_preset(std::string_view name);

}  // namespace actforge
