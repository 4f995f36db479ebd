#include "actforge/study/comparison_table.h"

#include <algorithm>
#include <cmath>

#include "actforge/base/digits_text.h"

namespace actforge {
namespace {

bool is_accuracy(const Comparison& comparison) { return comparison.objective.measure == "accuracy"; }

std::string center_text(const Comparison& comparison, const ComparisonRow& row, bool median) {
  const SampleSummary& s = row.summary;
  std::string text = compared_value_text(comparison, median ? s.median : s.mean);
  if (!median && !std::isnan(s.deviation)) text += " ± " + compared_value_text(comparison, s.deviation);
  const std::string mark = stars(row.welch_holm);
  return mark.empty() ? text : text + " " + mark;
}

}  // namespace

// Accuracy in percent, as tables have it.
std::string compared_value_text(const Comparison& comparison, double value) {
  if (std::isnan(value)) return "";
  return is_accuracy(comparison) ? with_decimals(100 * value, 2) : with_decimals(value, 4);
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
  const std::string name = comparison.stage == "final"      ? "Final test"
                           : comparison.stage == "rerank"   ? "Re-ranking"
                           : comparison.stage == "transfer" ? "Transfer"
                                                            : "Baseline";
  return name + ": " + comparison.conditions;
}

std::string comparison_caption(const Comparison& comparison, bool median) {
  std::string text = std::string(median ? "Median" : "Mean") + (is_accuracy(comparison) ? ", in percent," : "") +
                     " of the runs" + (median ? "" : " ± sample standard deviation") +
                     ", and the 95% interval of the mean (Student's t).";
  if (!comparison.against.empty()) {
    text +=
        " Better by: the 95% interval of the difference of the means (Welch). One-tailed tests of being better than " +
        comparison.against +
        ": Welch's t and Mann-Whitney U, each also with Holm's correction for all rows of the table. * p <= 0.05, ** p "
        "<= 0.01, *** p <= 0.001 by Welch with correction.";
  }
  return text;
}

ComparisonTable comparison_table(const Comparison& c, bool median) {
  ComparisonTable table = {.title = comparison_title(c),
                           .columns = {"function", "#trial", "#runs", "#" + c.objective.name}};
  table.columns.emplace_back("#95% interval");
  const bool tested = !c.against.empty();
  if (tested) {
    table.columns.insert(table.columns.end(), {"#better by", "#p Welch", "#Holm", "#p rank", "#Holm"});
  }
  for (const ComparisonRow& row : c.rows) {
    std::vector<std::string> cells = {
        row.function.expression, row.function.trial >= 0 ? std::to_string(row.function.trial) : "",
        std::to_string(row.summary.count) + (row.failed > 0 ? " (" + std::to_string(row.failed) + " failed)" : ""),
        center_text(c, row, median), compared_interval_text(c, row.summary.low, row.summary.high, false)};
    if (tested) {
      // Of a loss less is better.
      const double sign = is_accuracy(c) ? 1 : -1;
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
