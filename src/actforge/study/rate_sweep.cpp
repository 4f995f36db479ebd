#include "actforge/study/rate_sweep.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "actforge/study/finalists.h"

namespace actforge {
namespace {

StagePlan plan_at(const StagePlan& plan, std::optional<double> rate, std::vector<std::string> functions) {
  StagePlan changed = plan;
  changed.stage = at_rate(plan.stage, rate);
  changed.functions = std::move(functions);
  if (rate) changed.command.insert(changed.command.end(), {"--rate", option_text(*rate)});
  return changed;
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
    run_stage(store, plan_at(sweeping, rate, expressions_of(functions)), context);
    std::vector<ComparedFunction> tried = functions;
    for (ComparedFunction& function : tried) function.rate = rate;
    const Comparison comparison = compare(store, sweeping.stage, {.functions = tried, .repeats = sweep.runs});
    for (const ComparisonRow& row : comparison.rows) {
      const double value = value_of(row, comparison.objective);
      const auto [place, is_new] = best.try_emplace(row.function.expression, value);
      if (!is_new && value <= place->second) continue;
      place->second = value;
      const auto function = std::ranges::find(functions, row.function.expression, &ComparedFunction::expression);
      function->rate = rate;
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
  std::map<std::optional<double>, std::vector<std::string>> by_rate;
  for (const ComparedFunction& function : functions) by_rate[function.rate].push_back(function.expression);
  std::vector<StagePlan> plans;
  plans.reserve(by_rate.size());
  for (const auto& [rate, expressions] : by_rate) plans.push_back(plan_at(plan, rate, expressions));
  return plans;
}

}  // namespace

std::size_t note_look_at_rates(Store& store, const StagePlan& plan, const std::vector<ComparedFunction>& functions) {
  std::string text = look_text(plan);
  for (const ComparedFunction& function : functions) {
    if (function.rate) text += "; " + function.expression + " at rate " + option_text(*function.rate);
  }
  const std::vector<StagePlan> plans = plans_at_rates(plan, functions);
  return note_test_look(store, text,
                        std::ranges::all_of(plans, [&](const StagePlan& p) { return is_complete(store, p); }));
}

void run_at_rates(Store& store, const StagePlan& plan, const std::vector<ComparedFunction>& functions,
                  const RunContext& context) {
  for (const StagePlan& part : plans_at_rates(plan, functions)) run_stage(store, part, context);
}

}  // namespace actforge
