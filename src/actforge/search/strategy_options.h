#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "actforge/base/option_field.h"

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
};

using StrategyField = OptionField<StrategyOptions>;
std::span<const StrategyField> strategy_fields();

// Checks what depends on several fields. Throws Error (kUsage).
void check_options(const StrategyOptions& options);

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
