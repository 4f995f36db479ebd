#include "actforge/study/comparison_export.h"

#include <cmath>
#include <initializer_list>
#include <nlohmann/json.hpp>

#include "actforge/base/csv.h"
#include "actforge/base/number_text.h"
#include "actforge/expr/language/parse.h"
#include "actforge/expr/language/print.h"
#include "actforge/study/comparison_table.h"

namespace actforge {
namespace {

nlohmann::json number(double value) { return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(nullptr); }

nlohmann::json row_json(const ComparisonRow& row) {
  const SampleSummary& s = row.summary;
  return {{"expression", row.function.expression},
          {"hyperparameters", nlohmann::json::parse(hyperparameters_json(row.function.hyperparameters))},
          {"trial", row.function.trial >= 0 ? nlohmann::json(row.function.trial) : nlohmann::json(nullptr)},
          {"baseline", row.function.is_baseline},
          {"rate", row.function.rate ? nlohmann::json(*row.function.rate) : nlohmann::json(nullptr)},
          {"runs", s.count},
          {"failed", row.failed},
          {"scores", row.scores},
          {"mean", number(s.mean)},
          {"deviation", number(s.deviation)},
          {"median", number(s.median)},
          {"interval", {number(s.low), number(s.high)}},
          {"difference", number(row.difference)},
          {"difference_interval", {number(row.difference_interval.low), number(row.difference_interval.high)}},
          {"welch",
           {{"t", number(row.welch.statistic)},
            {"degrees", number(row.welch.degrees)},
            {"p", number(row.welch.p)},
            {"holm", number(row.welch_holm)}}},
          {"mann_whitney",
           {{"u", number(row.rank.statistic)},
            {"p", number(row.rank.p)},
            {"holm", number(row.rank_holm)},
            {"how", row.rank.how}}}};
}

std::string csv_number(double value) { return std::isnan(value) ? "" : number_text(value); }

std::string csv_numbers(std::initializer_list<double> values) {
  std::string text;
  for (const double value : values) text += "," + csv_number(value);
  return text;
}

std::string csv_row(const Comparison& comparison, const ComparisonRow& row) {
  const SampleSummary& s = row.summary;
  std::string scores;
  for (const double score : row.scores) scores += (scores.empty() ? "" : " ") + csv_number(score);
  return comparison.stage + "," + csv_field(comparison.objective.name) + "," + csv_field(row.function.expression) +
         "," + (row.function.trial >= 0 ? std::to_string(row.function.trial) : "") + "," +
         (row.function.is_baseline ? "true" : "false") + "," + std::to_string(s.count) + "," +
         std::to_string(row.failed) + csv_numbers({s.mean, s.deviation, s.median, s.low, s.high}) + "," +
         csv_field(comparison.against) +
         csv_numbers({row.difference, row.difference_interval.low, row.difference_interval.high, row.welch.statistic,
                      row.welch.degrees, row.welch.p, row.welch_holm, row.rank.statistic, row.rank.p, row.rank_holm}) +
         "," + csv_field(scores) + "," + csv_field(hyperparameters_text(row.function.hyperparameters)) + "\n";
}

std::string latex_words(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (std::string_view("#$%&_{}").find(c) != std::string_view::npos) result += '\\';
    result += c == '\\' ? "\\textbackslash{}" : c == '~' ? "\\~{}" : c == '^' ? "\\^{}" : std::string(1, c);
  }
  return result;
}

// As the dissertation's tables are: mean, a small deviation with its asterisks, the best in bold.
std::string latex_row(const Comparison& comparison, const ComparisonRow& row, bool median, bool is_best) {
  const SampleSummary& s = row.summary;
  const std::string center = compared_value_text(comparison, median ? s.median : s.mean);
  std::string cell = is_best ? "\\bm{" + center + "}" : center;
  const std::string mark = stars(row.welch_holm);
  if (!median && !std::isnan(s.deviation)) {
    cell += " {\\scriptscriptstyle \\pm " + compared_value_text(comparison, s.deviation) + (mark.empty() ? "" : "~") +
            mark + "}";
  } else if (!mark.empty()) {
    cell += " {\\scriptscriptstyle " + mark + "}";
  }
  return "  $" + to_latex(parse(row.function.expression)) + "$ & $" + cell + "$ & " +
         compared_interval_text(comparison, s.low, s.high, false) + " & " + p_value_text(row.welch_holm) + " \\\\\n";
}

}  // namespace

std::string comparison_json(const StageAnswer& answer) {
  nlohmann::json list = nlohmann::json::array();
  for (const Comparison& comparison : answer.comparisons) {
    nlohmann::json rows = nlohmann::json::array();
    for (const ComparisonRow& row : comparison.rows) rows.push_back(row_json(row));
    list.push_back({{"stage", comparison.stage},
                    {"conditions", comparison.conditions},
                    {"objective", comparison.objective.name},
                    {"against", comparison.against},
                    {"verdict", comparison_verdict(comparison)},
                    {"rows", rows}});
  }
  const Comparison& first = answer.comparisons.at(0);
  nlohmann::json json = {{"stage", first.stage},
                         {"conditions", first.conditions},
                         {"test", first.test},
                         {"notes", answer.notes},
                         {"objectives", list}};
  // The usual case: one objective.
  json.update(list[0]);
  if (first.test) json["looks"] = answer.looks;
  if (!answer.confirmation.empty()) json["confirmation"] = answer.confirmation;
  return json.dump(2) + "\n";
}

std::string comparison_csv(const StageAnswer& answer) {
  std::string csv =
      "stage,objective,expression,trial,baseline,runs,failed,mean,deviation,median,low,high,against,difference,"
      "difference_low,difference_high,welch_t,welch_degrees,welch_p,welch_holm,u,u_p,u_holm,scores,hyperparameters\n";
  for (const Comparison& comparison : answer.comparisons) {
    for (const ComparisonRow& row : comparison.rows) csv += csv_row(comparison, row);
  }
  return csv;
}

std::string comparison_latex(const StageAnswer& answer, bool median) {
  std::string latex = "% needs the packages booktabs and bm\n";
  for (const Comparison& comparison : answer.comparisons) {
    latex += "\\begin{table}\n  \\centering\n  \\caption{" + latex_words(comparison_title(comparison)) + ". " +
             latex_words(comparison_caption(comparison, median)) + "}\n  \\begin{tabular}{llll} \\toprule\n";
    latex += "  Function & " + latex_words(comparison.objective.name) + " & 95\\% interval & $p$ \\\\ \\midrule\n";
    bool rule = false;
    for (const bool baseline : {false, true}) {
      for (std::size_t i = 0; i < comparison.rows.size(); ++i) {
        const ComparisonRow& row = comparison.rows[i];
        if (row.function.is_baseline != baseline) continue;
        if (baseline && rule) latex += "  \\midrule\n";
        rule = !baseline;
        latex += latex_row(comparison, row, median, i == 0);
      }
    }
    latex += "  \\bottomrule\n  \\end{tabular}\n\\end{table}\n";
  }
  return latex;
}

}  // namespace actforge
