#include "actforge/comparison_text.h"

#include <fmt/format.h>

#include <cmath>

#include "actforge/base/csv.h"
#include "actforge/expr/parse.h"
#include "actforge/expr/print.h"
#include "actforge/table.h"
#include "actforge/verb.h"

namespace actforge::tool {
namespace {

bool is_accuracy(const Comparison& comparison) { return comparison.objective.measure == "accuracy"; }

// Accuracy in percent, as tables have it.
std::string value_text(const Comparison& comparison, double value) {
  if (std::isnan(value)) return "";
  return is_accuracy(comparison) ? fmt::format("{:.2f}", 100 * value) : fmt::format("{:.4f}", value);
}

std::string p_text(double p) {
  if (std::isnan(p)) return "";
  return p >= 0.001 ? fmt::format("{:.3f}", p) : p > 0 ? fmt::format("{:.1e}", p) : "0";
}

std::string interval_text(const Comparison& comparison, double low, double high, bool sign) {
  if (std::isnan(low)) return "";
  const auto plus = [&](double v) { return sign && v >= 0 ? "+" : ""; };
  return fmt::format("{}{} to {}{}", plus(low), value_text(comparison, low), plus(high), value_text(comparison, high));
}

std::string center_text(const Comparison& comparison, const ComparisonRow& row, bool median) {
  const SampleSummary& s = row.summary;
  std::string text = value_text(comparison, median ? s.median : s.mean);
  if (!median && !std::isnan(s.deviation)) text += " ± " + value_text(comparison, s.deviation);
  const std::string mark = stars(row.welch_holm);
  return mark.empty() ? text : fmt::format("{} {}", text, mark);
}

std::string title_of(const Comparison& comparison) {
  const std::string name = comparison.stage == "final"      ? "Final test"
                           : comparison.stage == "rerank"   ? "Re-ranking"
                           : comparison.stage == "transfer" ? "Transfer"
                                                            : "Baseline";
  return name + ": " + comparison.conditions;
}

std::string caption_of(const Comparison& comparison, bool median) {
  std::string text =
      fmt::format("{}{} of the runs{}, and the 95% interval of the mean (Student's t).", median ? "Median" : "Mean",
                  is_accuracy(comparison) ? ", in percent," : "", median ? "" : " ± sample standard deviation");
  if (!comparison.against.empty()) {
    text += fmt::format(
        " Better by: the 95% interval of the difference of the means (Welch). One-tailed tests of being better than "
        "{}: Welch's t and Mann-Whitney U, each also with Holm's correction for "
        "all rows of the table. * p <= 0.05, ** p <= 0.01, *** p <= 0.001 by Welch with correction.",
        comparison.against);
  }
  return text;
}

nlohmann::json row_json(const ComparisonRow& row) {
  const SampleSummary& s = row.summary;
  return {{"expression", row.function.expression},
          {"trial", row.function.trial >= 0 ? nlohmann::json(row.function.trial) : nlohmann::json(nullptr)},
          {"baseline", row.function.is_baseline},
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
    list.push_back({{"objective", comparison.objective.name}, {"against", comparison.against}, {"rows", rows}});
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
  const std::string center = value_text(comparison, median ? s.median : s.mean);
  std::string cell = is_best ? "\\bm{" + center + "}" : center;
  const std::string mark = stars(row.welch_holm);
  if (!median && !std::isnan(s.deviation)) {
    cell += fmt::format(" {{\\scriptscriptstyle \\pm {}{}{}}}", value_text(comparison, s.deviation),
                        mark.empty() ? "" : "~", mark);
  } else if (!mark.empty()) {
    cell += fmt::format(" {{\\scriptscriptstyle {}}}", mark);
  }
  return fmt::format("  ${}$ & ${}$ & {} & {} \\\\\n", to_latex(parse(row.function.expression)), cell,
                     interval_text(comparison, s.low, s.high, false), p_text(row.welch_holm));
}

std::string as_latex(const ComparisonText& text) {
  std::string latex = "% needs the packages booktabs and bm\n";
  for (const Comparison& comparison : text.comparisons) {
    latex += "\\begin{table}\n  \\centering\n  \\caption{" + latex_words(title_of(comparison)) + ". " +
             latex_words(caption_of(comparison, text.median)) + "}\n  \\begin{tabular}{llll} \\toprule\n";
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
    result += table.title + "\n\n" + table_text(std::move(table.columns), std::move(table.rows)) + "\n" +
              table.caption + "\n";
  }
  if (text.looks > 1) {
    result += fmt::format("The test images have been looked at {} times in this study; p-values count one look only.\n",
                          text.looks);
  }
  for (const std::string& note : text.notes) result += note + "\n";
  return result;
}

}  // namespace

ComparisonTable comparison_table(const Comparison& c, bool median) {
  ComparisonTable table = {.title = title_of(c), .columns = {"function", "#trial", "#runs", "#" + c.objective.name}};
  table.columns.emplace_back("#95% interval");
  const bool tested = !c.against.empty();
  if (tested) {
    table.columns.insert(table.columns.end(), {"#better by", "#p Welch", "#Holm", "#p rank", "#Holm"});
  }
  for (const ComparisonRow& row : c.rows) {
    std::vector<std::string> cells = {
        row.function.expression, row.function.trial >= 0 ? std::to_string(row.function.trial) : "",
        std::to_string(row.summary.count) + (row.failed > 0 ? fmt::format(" ({} failed)", row.failed) : ""),
        center_text(c, row, median), interval_text(c, row.summary.low, row.summary.high, false)};
    if (tested) {
      // Of a loss less is better.
      const double sign = is_accuracy(c) ? 1 : -1;
      const double low = sign * row.difference_interval.low, high = sign * row.difference_interval.high;
      cells.push_back(interval_text(c, std::min(low, high), std::max(low, high), true));
      for (const double p : {row.welch.p, row.welch_holm, row.rank.p, row.rank_holm}) cells.push_back(p_text(p));
    }
    table.rows.push_back(std::move(cells));
  }
  table.caption = caption_of(c, median);
  return table;
}

std::string comparison_text(const ComparisonText& text) {
  if (text.format == "json") return as_json(text);
  if (text.format == "csv") return as_csv(text);
  if (text.format == "latex") return as_latex(text);
  return as_text(text);
}

}  // namespace actforge::tool
