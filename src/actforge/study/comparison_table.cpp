#include "actforge/study/comparison_table.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "actforge/base/digits_text.h"

namespace actforge {
namespace {

// A command may give an accuracy in percent already.
bool is_share(const Comparison& comparison) {
  if (!comparison.objective.is_accuracy()) return false;
  return std::ranges::all_of(comparison.rows, [](const ComparisonRow& row) {
    return std::ranges::all_of(row.scores, [](double score) { return score >= 0 && score <= 1; });
  });
}

// Of what has any unit: five significant digits of the largest score. Those between 0.01 and 10, as losses are, have
// four decimals.
int decimals_of(const Comparison& comparison) {
  double largest = 0;
  for (const ComparisonRow& row : comparison.rows) {
    for (const double score : row.scores) largest = std::max(largest, std::fabs(score));
  }
  if (!(largest > 0) || !std::isfinite(largest) || (largest >= 0.01 && largest < 1)) return 4;
  return std::clamp(4 - static_cast<int>(std::floor(std::log10(largest))), 0, 12);
}

std::string center_text(const Comparison& comparison, const ComparisonRow& row, bool median) {
  const SampleSummary& s = row.summary;
  std::string text = compared_value_text(comparison, median ? s.median : s.mean);
  if (!median && !std::isnan(s.deviation)) text += " ± " + compared_value_text(comparison, s.deviation);
  const std::string mark = stars(row.welch_holm);
  return mark.empty() ? text : text + " " + mark;
}

std::vector<std::string> hyperparameter_names(const Comparison& comparison) {
  std::set<std::string> names;
  for (const ComparisonRow& row : comparison.rows) {
    for (const auto& [name, value] : row.function.hyperparameters) names.insert(name);
  }
  return {names.begin(), names.end()};
}

std::string hyperparameter_text(const ComparedFunction& function, const std::string& name) {
  const auto found = function.hyperparameters.find(name);
  return found == function.hyperparameters.end() ? "" : found->second;
}

}  // namespace

// Shares in percent, as tables have them.
std::string compared_value_text(const Comparison& comparison, double value) {
  if (std::isnan(value)) return "";
  return is_share(comparison) ? with_decimals(100 * value, 2) : with_decimals(value, decimals_of(comparison));
}

std::string p_value_text(double p) {
  if (std::isnan(p)) return "";
  return p >= 0.001 ? with_decimals(p, 3) : p > 0 ? with_exponent(p, 1) : "0";
}

std::string compared_interval_text(const Comparison& comparison, double low, double high, bool sign) {
  if (std::isnan(low)) return "";
  const auto plus = [&](double v) { return std::string(sign && v >= 0 ? "+" : ""); };
  return plus(low) + compared_value_text(comparison, low) + " to " + plus(high) + compared_value_text(comparison, high);
}

std::string comparison_title(const Comparison& comparison) {
  const auto row = std::ranges::find(stages(), comparison.stage, &StageRow::name);
  const std::string name(row == stages().end() ? comparison.stage : row->title);
  return name + ": " + comparison.conditions;
}

std::string comparison_caption(const Comparison& comparison, bool median) {
  std::string text = std::string(median ? "Median" : "Mean") + (is_share(comparison) ? ", in percent," : "") +
                     " of the runs" + (median ? "" : " ± sample standard deviation") +
                     ", and the 95% interval of the mean (Student's t).";
  if (!comparison.against.empty()) {
    text +=
        " Better by: the 95% interval of the difference of the means (Welch). One-tailed tests of being better than " +
        comparison.against +
        ": Welch's t and Mann-Whitney U, each also with Holm's correction for all tests of the table. * p <= 0.05, ** "
        "p "
        "<= 0.01, *** p <= 0.001 by Welch with correction.";
  }
  return text;
}

std::string comparison_verdict(const Comparison& c) {
  const auto found = std::ranges::find_if(c.rows, [](const ComparisonRow& r) { return !r.function.is_baseline; });
  const auto known = std::ranges::find(c.rows, c.against, [](const ComparisonRow& r) { return r.function.expression; });
  if (found == c.rows.end() || known == c.rows.end() || std::isnan(found->difference)) return {};
  const std::string rival =
      c.against + (std::ranges::count_if(c.rows, [](const ComparisonRow& r) { return r.function.is_baseline; }) > 1
                       ? ", the best known function here"
                       : "");
  const double sign = c.objective.turned(1);
  const double a = sign * found->difference_interval.low, b = sign * found->difference_interval.high;
  const double better = sign * found->difference;
  const std::size_t runs =
      found->scores.size() + (counts_failures(c.objective) ? 0 : found->failed);  // a loss has no score of failing
  const std::string failed =
      found->failed == 0 ? ""
                         : " Of its " + std::to_string(runs) + " runs, " + std::to_string(found->failed) + " failed.";
  const std::string by =
      std::isnan(found->welch_holm)
          ? (better >= 0 ? "+" : "") + compared_value_text(c, better) +
                ", and with so few runs nothing is known of how sure that is"
          : compared_interval_text(c, std::min(a, b), std::max(a, b), true) +
                " (95% interval; one-tailed test with Holm's correction: p = " + p_value_text(found->welch_holm) + ")";
  if (better <= 0) {
    return "No function of the study is better than " + rival + ": the best, " + found->function.expression +
           ", differs by " + by + "." + failed;
  }
  const bool is_sure = found->welch_holm <= 0.05;
  return found->function.expression +
         (is_sure ? " is better than " : " looks better, but is not shown to be better than ") + rival + ": by " + by +
         "." + failed;
}

std::string confirmation_text(const Comparison& first, const Comparison& second) {
  std::vector<std::size_t> places;  // in the second, in the order of the first
  for (const ComparisonRow& row : first.rows) {
    const auto there = std::ranges::find(second.rows, row.function.expression,
                                         [](const ComparisonRow& r) { return r.function.expression; });
    if (there != second.rows.end()) places.push_back(static_cast<std::size_t>(there - second.rows.begin()));
  }
  if (places.size() < 2) return {};
  std::size_t pairs = 0, kept = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    for (std::size_t k = i + 1; k < places.size(); ++k) {
      ++pairs;
      kept += places[i] < places[k] ? 1 : 0;
    }
  }
  const std::string& winner = first.rows[0].function.expression;
  const std::string end = "; " + std::to_string(kept) + " of " + std::to_string(pairs) +
                          " pairs of functions are in the same order at both scales.";
  if (places[0] == 0) return "The order holds at the top: " + winner + " is the best at both scales" + end;
  return "The order does not hold: " + winner + ", the best of the first test, is number " +
         std::to_string(places[0] + 1) + " of " + std::to_string(places.size()) + " here, and " +
         second.rows[0].function.expression + " is the best" + end;
}

ComparisonTable comparison_table(const Comparison& c, bool median) {
  ComparisonTable table = {.title = comparison_title(c),
                           .columns = {"function", "#trial", "#runs", "#" + c.objective.name}};
  table.columns.emplace_back("#95% interval");
  const bool has_rates =
      std::ranges::any_of(c.rows, [](const ComparisonRow& row) { return row.function.rate.has_value(); });
  if (has_rates) table.columns.emplace_back("#rate");
  const std::vector<std::string> names = hyperparameter_names(c);
  for (const std::string& name : names) table.columns.push_back("#" + name);
  const bool tested = !c.against.empty();
  if (tested) {
    table.columns.insert(table.columns.end(), {"#better by", "#p Welch", "#Holm", "#p rank", "#Holm"});
  }
  for (const ComparisonRow& row : c.rows) {
    std::vector<std::string> cells = {
        row.function.expression, row.function.trial >= 0 ? std::to_string(row.function.trial) : "",
        std::to_string(row.summary.count) + (row.failed > 0 ? " (" + std::to_string(row.failed) + " failed)" : ""),
        center_text(c, row, median), compared_interval_text(c, row.summary.low, row.summary.high, false)};
    if (has_rates) cells.push_back(row.function.rate ? with_digits(*row.function.rate, 3) : "");
    for (const std::string& name : names) cells.push_back(hyperparameter_text(row.function, name));
    if (tested) {
      // Of a loss less is better.
      const double sign = c.objective.turned(1);
      const double low = sign * row.difference_interval.low, high = sign * row.difference_interval.high;
      cells.push_back(compared_interval_text(c, std::min(low, high), std::max(low, high), true));
      for (const double p : {row.welch.p, row.welch_holm, row.rank.p, row.rank_holm}) cells.push_back(p_value_text(p));
    }
    table.rows.push_back(std::move(cells));
  }
  table.caption = comparison_caption(c, median);
  return table;
}

}  // namespace actforge
