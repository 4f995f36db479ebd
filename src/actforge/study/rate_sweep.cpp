#include "actforge/study/rate_sweep.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "actforge/search/settings/study_inputs.h"
#include "actforge/study/finalists.h"

namespace actforge {
namespace {

// With the rate and the hyperparameters of the first; all have the same.
StagePlan plan_for(const StagePlan& plan, const std::vector<ComparedFunction>& functions) {
  StagePlan changed = plan;
  const std::optional<double> rate = functions[0].rate;
  changed.stage = stage_for(plan.stage, functions[0]);
  changed.functions = expressions_of(functions);
  for (const auto& [name, value] : functions[0].hyperparameters) {
    changed.command.insert(changed.command.end(), {"--value", name + "=" + value});
  }
  if (rate) changed.command.insert(changed.command.end(), {"--rate", option_text(*rate)});
  return changed;
}

void set_rate(ComparedFunction& function, double rate) {
  function.rate = rate;
  const auto searched = function.hyperparameters.find("learning-rate");
  if (searched != function.hyperparameters.end()) searched->second = option_text(rate);
}

// More is better; without any score worse than everything.
double value_of(const ComparisonRow& row, const Objective& objective) {
  if (row.scores.empty() || (!counts_failures(objective) && row.failed > 0)) return -INFINITY;
  return objective.turned(row.summary.mean);
}

}  // namespace

std::vector<double> usual_rates(const StudySettings& settings) {
  const double own = learning_rate(rates_stage(settings));
  std::vector<double> rates;
  for (const double factor : {0.25, 0.5, 1.0, 2.0, 4.0}) rates.push_back(factor * own);
  return rates;
}

void sweep_rates(Store& store, const StudySettings& settings, const RateSweep& sweep, const StagePlan& plan,
                 std::vector<ComparedFunction>& functions, const RunContext& context) {
  std::vector<double> rates = sweep.rates;
  std::ranges::sort(rates);
  StagePlan sweeping = plan;
  sweeping.stage = rates_stage(settings);
  sweeping.repeats = sweep.runs;
  std::map<std::string, double> best;  // value so far
  for (ComparedFunction& function : functions) function.rate.reset();
  for (const double rate : rates) {
    std::vector<ComparedFunction> tried = functions;
    for (ComparedFunction& function : tried) set_rate(function, rate);
    run_at_rates(store, sweeping, tried, context);
    const Comparison comparison = compare(store, sweeping.stage, {.functions = tried, .repeats = sweep.runs});
    for (const ComparisonRow& row : comparison.rows) {
      const double value = value_of(row, comparison.objective);
      const auto [place, is_new] = best.try_emplace(row.function.expression, value);
      if (!is_new && value <= place->second) continue;
      place->second = value;
      const auto function = std::ranges::find(functions, row.function.expression, &ComparedFunction::expression);
      set_rate(*function, rate);
    }
  }
}

std::vector<std::string> at_the_edge(const RateSweep& sweep, const std::vector<ComparedFunction>& functions) {
  std::vector<std::string> names;
  const auto [least, most] = std::ranges::minmax(sweep.rates);
  for (const ComparedFunction& function : functions) {
    if (function.rate && (*function.rate == least || *function.rate == most)) names.push_back(function.expression);
  }
  return names;
}

bool widen(RateSweep& sweep, const std::vector<ComparedFunction>& functions) {
  const auto [least, most] = std::ranges::minmax(sweep.rates);
  const auto is_best = [&](double rate) {
    return std::ranges::find(functions, rate, &ComparedFunction::rate) != functions.end();
  };
  const bool below = is_best(least), above = is_best(most);
  if (below) sweep.rates.push_back(least / 2);
  if (above) sweep.rates.push_back(most * 2);
  return below || above;
}

namespace {

std::vector<StagePlan> plans_at_rates(const StagePlan& plan, const std::vector<ComparedFunction>& functions) {
  std::map<std::pair<std::optional<double>, Hyperparameters>, std::vector<ComparedFunction>> alike;
  for (const ComparedFunction& function : functions) {
    alike[{function.rate, function.hyperparameters}].push_back(function);
  }
  std::vector<StagePlan> plans;
  plans.reserve(alike.size());
  for (const auto& [what, group] : alike) plans.push_back(plan_for(plan, group));
  return plans;
}

}  // namespace

std::size_t note_look_at_rates(Store& store, const StagePlan& plan, const std::vector<ComparedFunction>& functions) {
  std::string text = look_text(plan);
  for (const ComparedFunction& function : functions) {
    if (!function.hyperparameters.empty()) {
      text += "; " + function.expression + " with " + hyperparameters_text(function.hyperparameters);
    }
    if (function.rate) text += "; " + function.expression + " at rate " + option_text(*function.rate);
  }
  const std::vector<StagePlan> plans = plans_at_rates(plan, functions);
  const bool complete = std::ranges::all_of(plans, [&](const StagePlan& p) { return is_complete(store, p); });
  if (!complete) check_inputs(store, plan.stage.settings);  // what will be refused is no look
  return note_test_look(store, text, complete);
}

void run_at_rates(Store& store, const StagePlan& plan, const std::vector<ComparedFunction>& functions,
                  const RunContext& context) {
  for (const StagePlan& part : plans_at_rates(plan, functions)) run_stage(store, part, context);
}

}  // namespace actforge
