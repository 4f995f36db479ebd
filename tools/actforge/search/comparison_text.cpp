#include "tools/actforge/search/comparison_text.h"

#include <fmt/format.h>

#include <cmath>

#include "actforge/base/csv.h"
#include "actforge/expr/language/parse.h"
#include "actforge/expr/language/print.h"
#include "actforge/study/comparison_table.h"
#include "tools/actforge/common/table.h"
#include "tools/actforge/common/verb.h"

namespace actforge::tool {
namespace {

nlohmann::json row_json(const ComparisonRow& row) {
  const SampleSummary& s = row.summary;
  return {{"expression", row.function.expression},
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

std::string as_json(const ComparisonText& text) {
  nlohmann::json list = nlohmann::json::array();
  for (const Comparison& comparison : text.comparisons) {
    nlohmann::json rows = nlohmann::json::array();
    for (const ComparisonRow& row : comparison.rows) rows.push_back(row_json(row));
    list.push_back({{"stage", comparison.stage},
                    {"conditions", comparison.conditions},
                    {"objective", comparison.objective.name},
                    {"against", comparison.against},
                    {"verdict", comparison_verdict(comparison)},
                    {"rows", rows}});
  }
  const Comparison& first = text.comparisons.at(0);
  nlohmann::json json = {{"stage", first.stage},
                         {"conditions", first.conditions},
                         {"test", first.test},
                         {"notes", text.notes},
                         {"objectives", list}};
  // The usual case: one objective.
  json.update(list[0]);
  if (first.test) json["looks"] = text.looks;
  if (!text.confirmation.empty()) json["confirmation"] = text.confirmation;
  return json.dump(2) + "\n";
}

std::string csv_number(double value) { return std::isnan(value) ? "" : fmt::format("{}", value); }

std::string as_csv(const ComparisonText& text) {
  std::string csv =
      "stage,objective,expression,trial,baseline,runs,failed,mean,deviation,median,low,high,against,difference,"
      "difference_low,difference_high,welch_t,welch_degrees,welch_p,welch_holm,u,u_p,u_holm,scores\n";
  for (const Comparison& c : text.comparisons) {
    for (const ComparisonRow& row : c.rows) {
      std::string scores;
      for (const double score : row.scores) scores += fmt::format("{}{}", scores.empty() ? "" : " ", csv_number(score));
      csv +=
          fmt::format("{},{},{},{},{},{},{}", c.stage, csv_field(c.objective.name), csv_field(row.function.expression),
                      row.function.trial >= 0 ? std::to_string(row.function.trial) : "", row.function.is_baseline,
                      row.summary.count, row.failed);
      for (const double value :
           {row.summary.mean, row.summary.deviation, row.summary.median, row.summary.low, row.summary.high}) {
        csv += fmt::format(",{}", csv_number(value));
      }
      csv += fmt::format(",{}", csv_field(c.against));
      for (const double value :
           {row.difference, row.difference_interval.low, row.difference_interval.high, row.welch.statistic,
            row.welch.degrees, row.welch.p, row.welch_holm, row.rank.statistic, row.rank.p, row.rank_holm}) {
        csv += fmt::format(",{}", csv_number(value));
      }
      csv += fmt::format(",{}\n", csv_field(scores));
    }
  }
  return csv;
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
    cell += fmt::format(" {{\\scriptscriptstyle \\pm {}{}{}}}", compared_value_text(comparison, s.deviation),
                        mark.empty() ? "" : "~", mark);
  } else if (!mark.empty()) {
    cell += fmt::format(" {{\\scriptscriptstyle {}}}", mark);
  }
  return fmt::format("  ${}$ & ${}$ & {} & {} \\\\\n", to_latex(parse(row.function.expression)), cell,
                     compared_interval_text(comparison, s.low, s.high, false), p_value_text(row.welch_holm));
}

std::string as_latex(const ComparisonText& text) {
  std::string latex = "% needs the packages booktabs and bm\n";
  for (const Comparison& comparison : text.comparisons) {
    latex += "\\begin{table}\n  \\centering\n  \\caption{" + latex_words(comparison_title(comparison)) + ". " +
             latex_words(comparison_caption(comparison, text.median)) + "}\n  \\begin{tabular}{llll} \\toprule\n";
    latex += "  Function & " + latex_words(comparison.objective.name) + " & 95\\% interval & $p$ \\\\ \\midrule\n";
    bool rule = false;
    for (const bool baseline : {false, true}) {
      for (std::size_t i = 0; i < comparison.rows.size(); ++i) {
        const ComparisonRow& row = comparison.rows[i];
        if (row.function.is_baseline != baseline) continue;
        if (baseline && rule) latex += "  \\midrule\n";
        rule = !baseline;
        latex += latex_row(comparison, row, text.median, i == 0);
      }
    }
    latex += "  \\bottomrule\n  \\end{tabular}\n\\end{table}\n";
  }
  return latex;
}

std::string as_text(const ComparisonText& text) {
  std::string result;
  for (const Comparison& comparison : text.comparisons) {
    ComparisonTable table = comparison_table(comparison, text.median);
    const std::string verdict = comparison_verdict(comparison);
    result += (result.empty() ? "" : "\n") + table.title + "\n" + (verdict.empty() ? "" : verdict + "\n") + "\n" +
              table_text(std::move(table.columns), std::move(table.rows)) + "\n" + table.caption + "\n";
  }
  if (!text.confirmation.empty()) result += text.confirmation + "\n";
  if (text.looks > 1) {
    result +=
        fmt::format("The test images have been used {} times in this study; p-values assume that they are used once.\n",
                    text.looks);
  }
  for (const std::string& note : text.notes) result += note + "\n";
  return result;
}

}  // namespace

std::string comparison_text(const ComparisonText& text) {
  if (text.format == "json") return as_json(text);
  if (text.format == "csv") return as_csv(text);
  if (text.format == "latex") return as_latex(text);
  return as_text(text);
}

}  // namespace actforge::tool
