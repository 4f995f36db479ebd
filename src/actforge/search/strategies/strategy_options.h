#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "actforge/base/option_texts.h"

namespace actforge {

// Options of all strategies. Each strategy's file defines its own: a struct with the dissertation's values, the table
// of its fields, and the preset `mini`; from there the command line's help, study files and stored settings come.
using StrategyOptions = OptionTexts;

struct StrategyField : OptionRow {
  std::string mini = {};  // its value in that preset
  // Where nobody chooses it, the strategy does, by the study's budget and measure (StrategyRow::complete).
  bool is_open = false;
};

template <class Options>
std::vector<StrategyField> strategy_fields(std::span<const OptionField<Options>> fields, const Options& mini,
                                           std::initializer_list<std::string_view> open = {}) {
  std::vector<StrategyField> rows;
  for (const OptionField<Options>& field : fields) {
    rows.push_back({option_row(field), field_text(mini, field), std::ranges::find(open, field.name) != open.end()});
  }
  return rows;
}

// Those of all strategies, each name once.
std::span<const StrategyField> strategy_fields();

// `options`, and those of `defaults` that are not among them.
inline StrategyOptions with_defaults(StrategyOptions options, const StrategyOptions& defaults) {
  options.insert(defaults.begin(), defaults.end());
  return options;
}

// A named set of options.
struct StrategyPreset {
  std::string_view name;
  std::string_view summary;
  std::uint64_t trials;     // of strategies that have no number of their own
  StrategyOptions options;  // but for what is left open
  StrategyOptions numbers;  // of a study of the usual size, what is left open included
};
std::span<const StrategyPreset> strategy_presets();
// Throws Error (kUsage) with the nearest name.
const StrategyPreset& find_strategy_preset(std::string_view name);

}  // namespace actforge
