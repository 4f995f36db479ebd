#include "actforge/report/plots/plot_frame.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "actforge/base/error.h"

namespace actforge {
namespace {

constexpr double kLargest = 1e300;  // differences of such values do not overflow

bool finite(const Series& series, std::size_t i) { return std::isfinite(series.x[i]) && std::isfinite(series.y[i]); }

double tame(double value) { return std::clamp(value, -kLargest, kLargest); }

AxisRange united(const AxisRange& a, const AxisRange& b) { return {std::min(a.low, b.low), std::max(a.high, b.high)}; }

// A range that can be divided by: a constant gets some room on both sides.
AxisRange with_room(const AxisRange& range) {
  const double middle = range.low / 2 + range.high / 2;
  const double size = std::abs(middle);
  if (range.length() > std::max(size * 1e-12, 1e-290)) return range;
  const double half = size > 1e-290 ? size / 2 : 1;
  return {middle - half, middle + half};
}

void check(const LinePlot& plot) {
  for (const Series& series : plot.series) {
    if (series.x.size() == series.y.size()) continue;
    throw Error(ErrorCode::kBadInput, "curve '" + series.label + "' has " + std::to_string(series.x.size()) +
                                          " x values and " + std::to_string(series.y.size()) + " y values");
  }
  for (const auto& limit : {plot.y_min, plot.y_max}) {
    if (limit && !(std::abs(*limit) <= kLargest)) throw Error(ErrorCode::kUsage, "a limit of the y axis is not finite");
  }
  if (plot.y_min && plot.y_max && !(*plot.y_min < *plot.y_max)) {
    throw Error(ErrorCode::kUsage, "the lower limit of the y axis, " + short_text(*plot.y_min, 6) +
                                       ", is not below the upper one, " + short_text(*plot.y_max, 6));
  }
}

std::optional<AxisRange> x_range(const LinePlot& plot) {
  std::optional<AxisRange> range;
  for (const Series& series : plot.series) {
    for (const double value : series.x) {
      if (!std::isfinite(value)) continue;
      const AxisRange point{tame(value), tame(value)};
      range = range ? united(*range, point) : point;
    }
  }
  return range;
}

// Does the highest (sign 1) or lowest (sign -1) sample tower over a neighbour, as beside a pole? However fine the
// sampling, neighbours of the last sample before 1/x's pole are half or a third of it, before 1/sqrt(x)'s 0.6 to 0.7,
// whereas the samples of a smooth peak or of exponential growth come ever closer.
bool towers(const Series& series, double median, double sign) {
  std::optional<std::size_t> top;
  for (std::size_t i = 0; i < series.y.size(); ++i) {
    if (finite(series, i) && (!top || sign * series.y[i] > sign * series.y[*top])) top = i;
  }
  if (!top) return false;
  const double allowed = 0.25 * std::abs(tame(series.y[*top]) - median);
  const auto drops = [&](std::size_t i) {
    return i >= series.y.size() || !finite(series, i) ? false
                                                      : std::abs(tame(series.y[*top]) - tame(series.y[i])) > allowed;
  };
  return drops(*top + 1) || drops(*top - 1);
}

// The heights at which a single curve is worth seeing.
std::optional<AxisRange> reach_of(const Series& series, double x_length) {
  std::vector<double> sorted;
  for (std::size_t i = 0; i < series.y.size(); ++i) {
    if (finite(series, i)) sorted.push_back(tame(series.y[i]));
  }
  if (sorted.empty()) return std::nullopt;
  std::sort(sorted.begin(), sorted.end());
  const AxisRange full{sorted.front(), sorted.back()};
  if (sorted.size() < 16) return full;  // too few to tell the rule from the exception
  AxisRange reach = full;
  const auto limit = [&](double low, double high) { reach = {std::max(reach.low, low), std::min(reach.high, high)}; };

  // Beside poles: what four fifths of the samples span, and twice as much again on either side.
  const std::size_t n = sorted.size();
  const AxisRange core{sorted[n / 10], sorted[n - 1 - n / 10]};
  const double median = sorted[n / 2];
  if (core.length() > 0 && full.length() > 8 * core.length() &&
      (towers(series, median, 1) || towers(series, median, -1))) {
    limit(core.low - 2 * core.length(), core.high + 2 * core.length());
  }

  // Of a curve a hundred times as tall as its x axis is long (exp(exp(x))), the part near the x axis is of interest.
  const double tall = 2 * x_length;
  const auto low_ones =
      std::count_if(sorted.begin(), sorted.end(), [tall](double value) { return std::abs(value) <= tall; });
  if (x_length > 0 && reach.length() > 100 * x_length &&
      10.0 * static_cast<double>(low_ones) >= 3.0 * static_cast<double>(n)) {
    limit(-tall, tall);
  }
  return reach;
}

// The reaches of all curves in one. One that is 8 times as tall as the median, and taller than the x axis is long, does
// not decide: the frame grows towards it by no more than the height of the others.
AxisRange common_reach(const std::vector<AxisRange>& reaches, double x_length) {
  std::vector<double> heights;
  for (const AxisRange& reach : reaches) {
    if (reach.length() > 0) heights.push_back(reach.length());
  }
  std::sort(heights.begin(), heights.end());
  const double typical = heights.empty() ? 0 : heights[(heights.size() - 1) / 2];
  const auto dominates = [&](const AxisRange& r) { return r.length() > 8 * typical && r.length() > x_length; };
  std::optional<AxisRange> others;
  for (const AxisRange& reach : reaches) {
    if (!dominates(reach)) others = others ? united(*others, reach) : reach;
  }
  if (!others) return {-1, 1};
  AxisRange common = *others;
  for (const AxisRange& reach : reaches) {
    const double room = others->length();
    common = united(common, {std::max(reach.low, others->low - room), std::min(reach.high, others->high + room)});
  }
  return common;
}

// Down or up to the x axis, where that costs little.
AxisRange with_zero(const AxisRange& range) {
  const double near = range.length() / 4;
  return {0 < range.low && range.low < near ? 0 : range.low, -near < range.high && range.high < 0 ? 0 : range.high};
}

AxisRange y_range(const LinePlot& plot, double x_length) {
  std::vector<AxisRange> reaches;
  for (const Series& series : plot.series) {
    if (const auto reach = reach_of(series, x_length)) reaches.push_back(*reach);
  }
  AxisRange range = with_zero(with_room(reaches.empty() ? AxisRange{-1, 1} : common_reach(reaches, x_length)));
  const double margin = 0.04 * range.length();
  range = {plot.y_min.value_or(range.low - margin), plot.y_max.value_or(range.high + margin)};
  if (range.low < range.high) return with_room(range);
  const double height = std::max(1.0, std::abs(range.low) / 2);  // the one limit that was set is beyond all curves
  return plot.y_min ? AxisRange{range.low, range.low + height} : AxisRange{range.high - height, range.high};
}

}  // namespace

bool has_points(const Series& series) {
  for (std::size_t i = 0; i < series.y.size(); ++i) {
    if (finite(series, i)) return true;
  }
  return false;
}

PlotFrame frame_of(const LinePlot& plot) {
  check(plot);
  const AxisRange x = x_range(plot).value_or(AxisRange{0, 1});
  PlotFrame frame{.x = with_room(x), .y = y_range(plot, x.length())};
  frame.empty = std::none_of(plot.series.begin(), plot.series.end(), has_points);
  for (const Series& series : plot.series) {
    for (std::size_t i = 0; i < series.y.size(); ++i) {
      frame.beyond = frame.beyond || (finite(series, i) && !frame.y.contains(series.y[i]));
    }
  }
  return frame;
}

LinePlot drawn_plot(const LinePlot& plot) {
  LinePlot drawn = plot;
  if (!plot.log_y) return drawn;
  const auto logarithm = [](double y) { return y > 0 ? std::log10(y) : std::numeric_limits<double>::quiet_NaN(); };
  for (Series& series : drawn.series) std::transform(series.y.begin(), series.y.end(), series.y.begin(), logarithm);
  if (plot.y_min) drawn.y_min = logarithm(*plot.y_min);
  if (plot.y_max) drawn.y_max = logarithm(*plot.y_max);
  return drawn;
}

// On a logarithmic axis whole powers of ten, where at least two of them are in sight.
std::vector<Tick> y_ticks(const LinePlot& plot, const AxisRange& range, int wanted) {
  std::vector<Tick> ticks = nice_ticks(range, wanted);
  if (!plot.log_y) return ticks;
  if (std::floor(range.high) - std::ceil(range.low) >= 1) {
    std::erase_if(ticks, [](const Tick& tick) { return std::fabs(tick.value - std::round(tick.value)) > 1e-9; });
    for (Tick& tick : ticks) tick.label = "1e" + fixed_text(std::round(tick.value), 0);
  } else {
    for (Tick& tick : ticks) tick.label = short_text(std::pow(10, tick.value), 3);
  }
  return ticks;
}

}  // namespace actforge
