#include <algorithm>

#include "actforge/base/find_named.h"
#include "actforge/search/strategies/strategy.h"

namespace actforge {

// A new strategy is a file with such a function, a line here and one in the table.
StrategyRow exhaustive_strategy();
StrategyRow random_strategy();
StrategyRow cafe_strategy();
StrategyRow pangaea_strategy();
StrategyRow pangaea_no_parameters_strategy();
StrategyRow mutation_strategy();
StrategyRow aquasurf_strategy();
StrategyRow forge_strategy();

namespace {

const std::vector<StrategyRow>& table() {
  static const std::vector<StrategyRow> rows = {
      exhaustive_strategy(),
      random_strategy(),
      cafe_strategy(),
      pangaea_strategy(),
      pangaea_no_parameters_strategy(),
      mutation_strategy(),
      aquasurf_strategy(),
      forge_strategy(),
  };
  return rows;
}

std::vector<StrategyField> all_fields() {
  std::vector<StrategyField> fields;
  for (const StrategyRow& strategy : table()) {
    for (const StrategyField& field : strategy.fields) {
      const bool known = std::ranges::any_of(fields, [&](const StrategyField& f) { return f.name == field.name; });
      if (!known) fields.push_back(field);
    }
  }
  return fields;
}

StrategyOptions mini(bool with_open) {
  StrategyOptions options;
  for (const StrategyField& field : strategy_fields()) {
    if (with_open || !field.is_open) options.emplace(field.name, field.mini);
  }
  return options;
}

const std::vector<StrategyPreset>& presets() {
  static const std::vector<StrategyPreset> rows = {
      {"standard", "the dissertation's numbers; promising functions are evaluated again", 1000, {}, {}},
      {"paper", "the dissertation's numbers, each function evaluated once", 1000, {}, {}},
      // Small enough for a search that takes a CPU a few minutes, with the proportions of the dissertation.
      {"mini", "for a CPU: 60 trials with a population of 8; four generations of 12; 50 out of 1,000", 60, mini(false),
       mini(true)},
  };
  return rows;
}

}  // namespace

std::span<const StrategyRow> strategies() { return table(); }

const StrategyRow& find_strategy(std::string_view name) { return find_named(table(), name, "strategy"); }

bool StrategyRow::reads(std::string_view option) const {
  return std::ranges::any_of(fields, [&](const StrategyField& field) { return field.name == option; });
}

std::span<const StrategyField> strategy_fields() {
  static const std::vector<StrategyField> fields = all_fields();
  return fields;
}

std::span<const StrategyPreset> strategy_presets() { return presets(); }

const StrategyPreset& find_strategy_preset(std::string_view name) { return find_named(presets(), name, "preset"); }

void check_options(const StrategyOptions& options) {
  for (const StrategyRow& strategy : table()) {
    if (strategy.check != nullptr) strategy.check(options);
  }
}

std::uint64_t default_trials(const StrategyRow& strategy, const StrategyOptions& options,
                             const StrategyPreset& preset) {
  return strategy.trials != nullptr ? strategy.trials(options, preset.numbers) : preset.trials;
}

std::string_view automatic_strategy(std::uint64_t functions) {
  return functions > 0 && functions < kFewestToEvolve ? "random" : "pangaea";
}

}  // namespace actforge
