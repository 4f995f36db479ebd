#include "actforge/search/settings/study_strategy.h"

#include <algorithm>

#include "actforge/base/error.h"
#include "actforge/search/strategies/strategy.h"

namespace actforge {
namespace {

constexpr const char* kAutomatic = "auto";

// A quarter of the evaluations. In simulated random searches, with scores and noise as allcnn-mini on Fashion-MNIST has
// them, shares from 0.2 to 0.3 lost least against the best function, and all were better than none from 100 on.
std::string automatic_repeats(const StudySettings& settings, const StrategyRow& strategy, bool varies) {
  return varies && strategy.races && settings.preset != "paper" ? "0.25" : "0";
}

}  // namespace

void complete_repeats(StudySettings& settings) {
  const bool varies = find_evaluator(settings.evaluator).nature(settings.evaluate).varies;
  if (settings.repeats == kAutomatic) {
    settings.repeats = automatic_repeats(settings, find_strategy(settings.strategy), varies);
  }
  if (race_options(settings).share > 0 && !varies) {
    throw Error(ErrorCode::kUsage, "[budget] repeats: the evaluator '" + settings.evaluator +
                                       "' gives a function the same score every time");
  }
}

void complete_strategy(StudySettings& settings, bool has_budget) {
  const StrategyRow& strategy = find_strategy(settings.strategy);
  if (strategy.complete == nullptr) return;
  const EvaluatorRow& evaluator = find_evaluator(settings.evaluator);
  const std::vector<Objective> objectives = study_objectives(settings);  // none where no task is named
  const bool is_accuracy = !objectives.empty() && objectives[0].is_accuracy();
  strategy.complete(settings.options, {.by_fraction = is_accuracy && evaluator.nature(settings.evaluate).fractions,
                                       .has_spectra = has_spectra(settings),
                                       .evaluator = evaluator.name,
                                       .functions = has_budget ? expected_functions(settings) : 0,
                                       .numbers = find_strategy_preset(settings.preset).numbers});
}

// With as many repeats as a strategy that evolves would have. Who gives one of its options wants it.
std::string_view automatic_strategy(const StudySettings& settings) {
  StudySettings probe = settings;
  probe.strategy = automatic_strategy(std::uint64_t{0});
  const StrategyRow& evolves = find_strategy(probe.strategy);
  const bool is_meant =
      std::ranges::any_of(settings.options, [&](const auto& option) { return evolves.reads(option.first); });
  if (is_meant || settings.trials == 0 || settings.trials >= kMostTrials) return evolves.name;
  complete_repeats(probe);
  return automatic_strategy(expected_functions(probe));
}

void fill_in_strategy(StudySettings& settings, const StudySettings& stored) {
  if (settings.strategy == kAutomatic) settings.strategy = stored.strategy;
  if (settings.strategy != stored.strategy) return;
  for (const StrategyField& field : find_strategy(stored.strategy).fields) {
    if (field.is_open) settings.options.emplace(field.name, field_text(stored.options, field));
  }
}

void change_strategy(StudySettings& settings, const std::string& strategy) {
  if (settings.strategy == strategy) return;
  const StrategyRow& row = find_strategy(strategy);
  const StrategyOptions& preset = find_strategy_preset(settings.preset).options;
  if (settings.strategy != kAutomatic) {
    const bool varies = find_evaluator(settings.evaluator).nature(settings.evaluate).varies;
    const StrategyRow& before = find_strategy(settings.strategy);
    if (settings.repeats == automatic_repeats(settings, before, varies)) settings.repeats = kAutomatic;
  }
  for (const StrategyField& field : strategy_fields()) {
    if (row.reads(field.name) && !field.is_open) continue;
    settings.options.erase(std::string(field.name));
    if (const auto found = preset.find(field.name); found != preset.end()) settings.options.insert(*found);
  }
  settings.strategy = strategy;
}

bool is_other_strategy(const StudySettings& a, const StudySettings& b) {
  return std::ranges::any_of(study_differences(a, b),
                             [](const std::string& difference) { return difference.starts_with("[strategy] "); });
}

std::uint64_t expected_functions(const StudySettings& settings) {
  if (settings.trials == 0 || settings.trials >= kMostTrials) return 0;
  const auto repeats = static_cast<std::uint64_t>(race_options(settings).share * static_cast<double>(settings.trials));
  return settings.trials - repeats;
}

std::string strategy_caution(const StudySettings& settings, const TrialLog* log, std::int64_t first) {
  const StrategyRow& strategy = find_strategy(settings.strategy);
  if (strategy.caution == nullptr) return {};
  return strategy.caution(settings.options, {.strategy = strategy.name,
                                             .functions = expected_functions(settings),
                                             .first = first,
                                             .objectives = study_objectives(settings).size(),
                                             .never_positive = study_objectives(settings)[0].measure == "loss",
                                             .log = log});
}

}  // namespace actforge
