#include <algorithm>
#include <cmath>

#include "actforge/report/page/study_charts.h"
#include "actforge/report/page/study_curves.h"
#include "actforge/report/plots/chart.h"

namespace actforge {
namespace {

constexpr double kEdge = 10, kHistogram = 56, kGap = 8;
constexpr std::string_view kPointColor = "#2f86c0", kBarColor = "#8fbfdc", kBaselineColor = "#333333";

struct TimeUnit {
  double seconds;
  const char* name;
};

// In which the typical trial is a number that people can picture.
TimeUnit unit_for(std::vector<double> seconds) {
  std::nth_element(seconds.begin(), seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2), seconds.end());
  const double typical = seconds[seconds.size() / 2];
  if (typical >= 7200) return {3600, "hours"};
  if (typical >= 180) return {60, "minutes"};
  if (typical < 0.1) return {1e-3, "milliseconds"};
  return {1, "seconds"};
}

// 1, 2 and 5 times the powers of ten, or powers alone where there are many; values are logarithms.
std::vector<Tick> log_ticks(const AxisRange& range) {
  std::vector<Tick> ticks;
  const bool dense = range.length() < 3;
  for (double power = std::floor(range.low); power <= range.high; ++power) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double value = power + std::log10(factor);
      if ((dense || factor == 1) && range.contains(value))
        ticks.push_back({value, short_text(factor * std::pow(10, power), 3)});
    }
  }
  return ticks.size() >= 2 ? ticks
                           : std::vector<Tick>{{range.low, short_text(std::pow(10, range.low), 2)},
                                               {range.high, short_text(std::pow(10, range.high), 2)}};
}

std::vector<int> counts_in(const AxisRange& range, const std::vector<double>& values, int bins) {
  std::vector<int> counts(static_cast<std::size_t>(bins));
  for (const double value : values) {
    const int bin = std::clamp(static_cast<int>(std::clamp(range.fraction(value), 0.0, 1.0) * bins), 0, bins - 1);
    ++counts[static_cast<std::size_t>(bin)];
  }
  return counts;
}

class CostDrawing {
 public:
  CostDrawing(const StudyPage& page, double width) : page_(page), width_(width) {
    for (const PageTrial* trial : scored_trials(page)) {
      if (!std::isfinite(trial->seconds) || trial->seconds <= 0) continue;
      scores_.push_back(trial->scores[0]);
      costs_.push_back(trial->seconds);
    }
  }

  bool empty() const { return scores_.empty(); }

  std::string draw() {
    const TimeUnit unit = unit_for(costs_);
    const auto [low, high] = std::minmax_element(costs_.begin(), costs_.end());
    const bool logarithmic = *high > 20 * *low;
    for (double& cost : costs_) cost = logarithmic ? std::log10(cost / unit.seconds) : cost / unit.seconds;
    lay_out(std::string(unit.name) + " per trial", logarithmic);
    const double height = chart_.box.bottom + x_labels_height(chart_.x) + kEdge;
    SvgPicture picture({.width = width_,
                        .height = height,
                        .title = "Fitness and cost",
                        .description = first_objective(page_).name + " and " + unit.name + " of " +
                                       std::to_string(scores_.size()) + " trials, with histograms of both"});
    draw_axes(picture, chart_);
    baseline(picture);
    Dots dots;
    for (std::size_t i = 0; i < scores_.size(); ++i) {
      dots.add(chart_.x_of(clamped(chart_.x.range, scores_[i])), chart_.y_of(clamped(chart_.y.range, costs_[i])));
    }
    dots.draw(picture, kPointColor, dot_size(scores_.size()), 0.6);
    histogram_of_scores(picture);
    histogram_of_costs(picture);
    return picture.finish();
  }

 private:
  static double clamped(const AxisRange& range, double value) { return std::clamp(value, range.low, range.high); }

  void lay_out(const std::string& cost_label, bool logarithmic) {
    const double side = width_ > 400 ? 330 : 220;
    const double top = kEdge + kHistogram + kGap;
    chart_.box = {.left = 0, .top = top, .right = width_ - kEdge - kHistogram - kGap, .bottom = top + side};
    chart_.y = {.label = cost_label, .range = range_around(costs_)};
    if (!logarithmic) chart_.y.range.low = std::max(chart_.y.range.low, 0.0);
    chart_.y.ticks = logarithmic ? log_ticks(chart_.y.range) : ticks_for_height(chart_.y.range, side);
    chart_.box.left = kEdge + y_labels_width(chart_.y);
    const PageObjective objective = first_objective(page_);
    AxisRange range = range_around(scores_);
    if (page_.baseline_score && std::isfinite(*page_.baseline_score)) range = with_value(range, *page_.baseline_score);
    chart_.x = {.label = objective.name + (objective.less_is_better ? " (less is better)" : ""), .range = range};
    chart_.x.ticks = ticks_for_width(range, chart_.box.width());
    bins_ = std::clamp(static_cast<int>(std::sqrt(static_cast<double>(scores_.size()))), 8, 40);
  }

  void baseline(SvgPicture& picture) const {
    if (!page_.baseline_score || !std::isfinite(*page_.baseline_score)) return;
    const double x = chart_.x_of(*page_.baseline_score);
    const Box& box = chart_.box;
    picture.line(x, box.top, x, box.bottom,
                 "class=\"baseline\" fill=\"none\" stroke-width=\"1.4\" stroke-dasharray=\"6 4\"" +
                     attribute("stroke", kBaselineColor));
    const bool at_left = x > (box.left + box.right) / 2;
    const double room = at_left ? x - box.left : box.right - x;
    picture.fitted(x + (at_left ? -6 : 6), box.top + 16, page_.baseline.empty() ? "baseline" : page_.baseline,
                   {room - 10, 12}, (at_left ? "text-anchor=\"end\" " : "") + std::string(kHalo));
  }

  void histogram_of_scores(SvgPicture& picture) const {
    const std::vector<int> counts = counts_in(chart_.x.range, scores_, bins_);
    const int most = *std::max_element(counts.begin(), counts.end());
    const double base = chart_.box.top - kGap, step = chart_.box.width() / bins_;
    std::string bars;
    for (int i = 0; i < bins_; ++i) {
      const double height = kHistogram * counts[static_cast<std::size_t>(i)] / most;
      if (height > 0)
        bars += "M" + point_text(chart_.box.left + i * step + 0.5, base) + "v" + px(-height) + "h" + px(step - 1) +
                "v" + px(height) + "z";
    }
    picture.path(bars, "class=\"bars\"" + attribute("fill", kBarColor), "how many trials have such a score");
    picture.line(chart_.box.left, base, chart_.box.right, base, "fill=\"none\"" + attribute("stroke", kFrameColor));
    picture.text(chart_.box.left - 7, base - kHistogram + 8, std::to_string(most), count_style("end"));
    picture.text(chart_.box.left - 7, base, "0", count_style("end"));
  }

  void histogram_of_costs(SvgPicture& picture) const {
    const std::vector<int> counts = counts_in(chart_.y.range, costs_, bins_);
    const int most = *std::max_element(counts.begin(), counts.end());
    const double base = chart_.box.right + kGap, step = chart_.box.height() / bins_;
    std::string bars;
    for (int i = 0; i < bins_; ++i) {
      const double length = kHistogram * counts[static_cast<std::size_t>(i)] / most;
      if (length > 0)
        bars += "M" + point_text(base, chart_.box.bottom - i * step - 0.5) + "h" + px(length) + "v" + px(1 - step) +
                "h" + px(-length) + "z";
    }
    picture.path(bars, "class=\"bars\"" + attribute("fill", kBarColor), "how many trials take that long");
    picture.line(base, chart_.box.top, base, chart_.box.bottom, "fill=\"none\"" + attribute("stroke", kFrameColor));
    const double y = chart_.box.bottom + 6 + kTickSize;
    picture.text(base, y, "0", count_style("start"));
    picture.text(base + kHistogram, y, std::to_string(most), count_style("end"));
  }

  static std::string count_style(const std::string& anchor) {
    return "font-size=\"" + px(kTickSize - 1) + "\"" + attribute("fill", kAxisColor) + attribute("text-anchor", anchor);
  }

  const StudyPage& page_;
  double width_;
  std::vector<double> scores_, costs_;
  Chart chart_;
  int bins_ = 1;
};

}  // namespace

std::string cost_chart(const StudyPage& page, double width) {
  CostDrawing drawing(page, width);
  return drawing.empty() ? "" : drawing.draw();
}

}  // namespace actforge
