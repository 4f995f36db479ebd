#include "actforge/contest/contest_chart.h"

#include <algorithm>
#include <cmath>

#include "actforge/report/page/html_page.h"
#include "actforge/report/plots/chart.h"
#include "actforge/report/plots/line_style.h"
#include "actforge/report/svg/text.h"

namespace actforge {
namespace {

constexpr double kEdge = 10;
constexpr std::string_view kKnownColor = "#333333";

std::string score_text(double value) { return std::isfinite(value) ? fixed_text(value, 4) : "–"; }

std::string evaluations_text(double value) { return std::isfinite(value) ? short_text(value, 4) : "–"; }

std::string needed_text(const EvaluationsNeeded& needed) {
  std::string text = evaluations_text(needed.median);
  const auto end = [](double value) { return std::isfinite(value) ? short_text(value, 4) : std::string("∞"); };
  if (!std::isnan(needed.interval.low))
    text += " [" + end(needed.interval.low) + ", " + end(needed.interval.high) + "]";
  return text;
}

std::string percent_text(double share) { return short_text(100 * share, 3) + "%"; }

class ContestDrawing {
 public:
  ContestDrawing(const ContestSummary& summary, double width) : summary_(summary), width_(width) { lay_out(); }

  std::string draw() {
    const double height = chart_.box.bottom + x_labels_height(chart_.x) + kEdge;
    SvgPicture picture({.width = width_,
                        .height = height,
                        .title = "True score of the best function so far",
                        .description = "One curve for each strategy, with 95% intervals of the mean"});
    draw_keys(picture, keys(), {chart_.box.left, kEdge, width_ - kEdge, chart_.box.top});
    draw_axes(picture, chart_);
    for (std::size_t i = 0; i < summary_.rows.size(); ++i) band(picture, i);
    known(picture);
    for (std::size_t i = 0; i < summary_.rows.size(); ++i) curve(picture, i);
    return picture.finish();
  }

 private:
  LineStyle style(std::size_t i) const { return line_style(i, summary_.rows.size()); }

  std::vector<Key> keys() const {
    std::vector<Key> keys;
    for (std::size_t i = 0; i < summary_.rows.size(); ++i) {
      keys.push_back({Key::Mark::kLine, std::string(style(i).color), summary_.rows[i].name});
    }
    if (!summary_.known.empty()) {
      keys.push_back(
          {Key::Mark::kDashes, std::string(kKnownColor), summary_.known[0].name + ", the best known function"});
    }
    return keys;
  }

  void lay_out() {
    const double top = kEdge + keys_height(keys(), width_ - 80) + 8;
    chart_.box = {.left = 0, .top = top, .right = width_ - 16, .bottom = top + (width_ > 500 ? 380 : 260)};
    const AxisRange range = y_range();
    chart_.y = {.label = "true score of the answer", .range = range};
    chart_.y.ticks = ticks_for_height(range, chart_.box.height());
    chart_.box.left = kEdge + y_labels_width(chart_.y);
    std::size_t longest = 1;
    for (const ContestRow& row : summary_.rows) longest = std::max(longest, row.curve.size());
    chart_.x = {.label = "evaluations", .range = {0, static_cast<double>(longest) * 1.01}};
    chart_.x.ticks = whole_ticks(ticks_for_width(chart_.x.range, chart_.box.width()));
  }

  // The beginning of a search is far below its end, and would flatten it: from the lowest curve's value after a tenth.
  AxisRange y_range() const {
    double low = summary_.best;
    for (const ContestRow& row : summary_.rows) {
      if (!row.curve.empty()) low = std::min(low, row.curve[row.curve.size() / 10].mean);
    }
    if (!summary_.known.empty()) low = std::min(low, summary_.known[0].score);
    const double room = std::max(summary_.best - low, 1e-6 * std::max(1.0, std::fabs(low))) * 0.06;
    return {low - room, summary_.best + room};
  }

  double y_of(double score) const { return chart_.y_of(std::clamp(score, chart_.y.range.low, chart_.y.range.high)); }
  double x_of(std::size_t i) const { return chart_.x_of(static_cast<double>(i + 1)); }

  void band(SvgPicture& picture, std::size_t row) const {
    const std::vector<SampleSummary>& points = summary_.rows[row].curve;
    if (points.empty() || std::isnan(points[0].low)) return;
    std::string data;
    for (std::size_t i = 0; i < points.size(); ++i)
      data += (i == 0 ? "M" : "L") + point_text(x_of(i), y_of(points[i].high));
    for (std::size_t i = points.size(); i-- > 0;) data += "L" + point_text(x_of(i), y_of(points[i].low));
    picture.path(data + "z",
                 "class=\"band\" stroke=\"none\" fill-opacity=\"0.16\"" + attribute("fill", style(row).color),
                 summary_.rows[row].name + ": 95% interval of the mean");
  }

  void curve(SvgPicture& picture, std::size_t row) const {
    const std::vector<SampleSummary>& points = summary_.rows[row].curve;
    std::string data;
    for (std::size_t i = 0; i < points.size(); ++i)
      data += (i == 0 ? "M" : "L") + point_text(x_of(i), y_of(points[i].mean));
    std::string attributes = "class=\"curve\" fill=\"none\" stroke-width=\"2.2\" stroke-linejoin=\"round\"" +
                             attribute("stroke", style(row).color);
    if (!style(row).dashes.empty()) attributes += attribute("stroke-dasharray", style(row).dashes);
    picture.path(data, attributes, summary_.rows[row].name);
  }

  void known(SvgPicture& picture) const {
    if (summary_.known.empty()) return;
    const double y = y_of(summary_.known[0].score);
    picture.line(chart_.box.left, y, chart_.box.right, y,
                 "fill=\"none\" stroke-width=\"1.4\" stroke-dasharray=\"6 4\"" + attribute("stroke", kKnownColor));
  }

  const ContestSummary& summary_;
  double width_;
  Chart chart_ = {};
};

}  // namespace

std::string contest_chart(const ContestSummary& summary, double width) { return ContestDrawing(summary, width).draw(); }

std::vector<std::vector<std::string>> contest_table(const ContestSummary& summary) {
  std::vector<std::vector<std::string>> rows = {{"strategy", "#answer at the end", "95% interval"}};
  if (!summary.rows.empty()) {
    for (const EvaluationsNeeded& needed : summary.rows[0].needed) {
      rows[0].push_back("within " + percent_text(needed.within) + " after");
      rows[0].emplace_back("#of all");
    }
  }
  rows[0].emplace_back("#seconds");
  for (const ContestRow& row : summary.rows) {
    const SampleSummary end = row.curve.empty() ? SampleSummary() : row.curve.back();
    rows.push_back({row.name, score_text(end.mean), "[" + score_text(end.low) + ", " + score_text(end.high) + "]"});
    for (const EvaluationsNeeded& needed : row.needed) {
      rows.back().push_back(needed_text(needed));
      rows.back().push_back(percent_text(static_cast<double>(needed.reached) / static_cast<double>(end.count)));
    }
    rows.back().push_back(fixed_text(row.seconds, 1));
  }
  return rows;
}

std::vector<std::string> contest_claims(const ContestSummary& summary) {
  std::vector<std::string> claims;
  for (const ContestTest& test : summary.tests) {
    if (!(test.p <= 0.05)) continue;
    const bool first = test.wins > 0.5;
    const double wins = first ? test.wins : 1 - test.wins;
    claims.push_back((first ? test.a : test.b) + " ends better than " + (first ? test.b : test.a) + " in " +
                     percent_text(wins) + " of all pairs of searches, p = " + short_text(test.p, 2));
  }
  return claims;
}

std::string contest_page(const ContestSummary& summary, const ContestOptions& options) {
  HtmlPage page("Strategies compared on " + options.benchmark);
  page.add_paragraph(std::to_string(options.repeats) + " searches of each strategy with " +
                     std::to_string(options.trials) +
                     " evaluations. The best function of the benchmark has a true score of " +
                     score_text(summary.best) + " (mean over its seeds, failures counted as the worst).");
  page.add_heading("Progress");
  page.add_picture(
      contest_chart(summary),
      "The true score of the function that each search would name as its best, with 95% intervals of the mean.",
      contest_chart(summary, 420));
  page.add_heading("Table");
  std::vector<std::vector<std::string>> rows = contest_table(summary);
  const std::vector<std::string> titles = rows[0];
  rows.erase(rows.begin());
  page.add_table(titles, rows);
  page.add_paragraph(
      "“Within 1% after”: the median number of evaluations until the answer is at least 99% of the best and stays so, "
      "with the 95% interval of the median; “of all”: how many searches got there.");
  page.add_heading("What can be claimed");
  std::vector<std::string> claims = contest_claims(summary);
  if (claims.empty()) claims.emplace_back("No strategy ends significantly better than another.");
  page.add_list(claims);
  page.add_paragraph(
      "Mann and Whitney's test of the last answers, two-sided, adjusted for all pairs by Holm's method, at 5%. Ties "
      "are "
      "half a win.");
  return page.text();
}

}  // namespace actforge
