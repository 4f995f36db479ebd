#include <algorithm>
#include <array>
#include <cmath>

#include "actforge/report/page/study_charts.h"
#include "actforge/report/plots/chart.h"
#include "actforge/report/svg/text.h"

namespace actforge {
namespace {

constexpr double kEdge = 10, kHeight = 260;

// From dark blue, the first layer, over green to orange, the last: ever lighter, and none too light for white paper.
std::string depth_color(std::size_t layer, std::size_t layers) {
  constexpr std::array<std::array<double, 3>, 4> kStops{
      {{45, 30, 110}, {20, 110, 150}, {40, 160, 100}, {225, 150, 20}}};
  const double share = layers > 1 ? static_cast<double>(layer) / static_cast<double>(layers - 1) : 0.33;
  const double at = share * (kStops.size() - 1);
  const std::size_t i = std::min<std::size_t>(static_cast<std::size_t>(at), kStops.size() - 2);
  std::string color = "#";
  for (std::size_t c = 0; c < 3; ++c) {
    const double mix = kStops[i][c] + (at - static_cast<double>(i)) * (kStops[i + 1][c] - kStops[i][c]);
    const int value = static_cast<int>(std::lround(mix));
    constexpr std::string_view kDigits = "0123456789abcdef";
    color += kDigits[static_cast<std::size_t>(value / 16)];
    color += kDigits[static_cast<std::size_t>(value % 16)];
  }
  return color;
}

std::size_t layers_of(const PageParameter& parameter) {
  return std::min(parameter.layers.size(), parameter.mean.size());
}

double epoch_at(const PageParameter& parameter, std::size_t place) {
  return static_cast<double>(place < parameter.epochs.size() ? parameter.epochs[place]
                                                             : static_cast<std::int64_t>(place));
}

double last_epoch(const PageParameter& parameter) {
  double last = 0;
  for (const auto& values : parameter.mean) {
    if (!values.empty()) last = std::max(last, epoch_at(parameter, values.size() - 1));
  }
  return last;
}

bool has_values(const PageParameter& parameter) {
  for (std::size_t i = 0; i < layers_of(parameter); ++i) {
    for (const double value : parameter.mean[i]) {
      if (std::isfinite(value)) return true;
    }
  }
  return false;
}

// Where the frame begins.
double top_below(const std::vector<Key>& keys, double width) { return kEdge + keys_height(keys, width) + 6; }

std::string name_of(const PageParameter& parameter) { return parameter.parameter + " of " + parameter.function; }

}  // namespace

std::string parameter_by_epoch(const PageParameter& parameter, double width) {
  if (!has_values(parameter)) return {};
  const std::size_t layers = layers_of(parameter);
  std::vector<Series> lines(layers);
  std::vector<double> values;
  for (std::size_t i = 0; i < layers; ++i) {
    lines[i].label = parameter.layers[i];
    for (const double value : parameter.mean[i]) {
      lines[i].x.push_back(epoch_at(parameter, lines[i].x.size()));
      lines[i].y.push_back(value);
      values.push_back(value);
    }
  }
  Chart chart;
  chart.y = {.label = parameter.parameter, .range = range_around(values)};
  chart.y.ticks = ticks_for_height(chart.y.range, kHeight);
  const double last = std::max(last_epoch(parameter), 1.0);
  chart.x = {.label = "epoch (0: before training)", .range = {-0.02 * last, 1.02 * last}};
  const std::vector<Key> keys{{Key::Mark::kLine, depth_color(0, layers), "first layer"},
                              {Key::Mark::kLine, depth_color(layers - 1, layers), "last layer"}};
  const double left = kEdge + y_labels_width(chart.y), top = top_below(keys, width - kEdge - left);
  chart.box = {left, top, width - kEdge - 4, top + kHeight};
  chart.x.ticks = whole_ticks(ticks_for_width(chart.x.range, chart.box.width()));
  SvgPicture picture({.width = width,
                      .height = chart.box.bottom + x_labels_height(chart.x) + kEdge,
                      .title = name_of(parameter) + " by epoch",
                      .description = "one line for each of " + std::to_string(layers) + " layers"});
  draw_keys(picture, keys, {left, kEdge, width - kEdge, top});
  draw_axes(picture, chart);
  const PlotFrame view{.x = chart.x.range, .y = chart.y.range};
  for (std::size_t i = 0; i < layers; ++i) {
    const auto [curve, dots] = curve_paths(lines[i], view, chart.box);
    const std::string style = "fill=\"none\" stroke-width=\"1.8\" stroke-linejoin=\"round\" stroke-linecap=\"round\"" +
                              attribute("stroke", depth_color(i, layers));
    picture.path(curve, "class=\"layer\" " + style, lines[i].label);
    picture.path(dots, "class=\"layer\" " + style, lines[i].label);
  }
  return picture.finish();
}

namespace {

// Values by layer: the network from top to bottom, so that its names can be read.
class LayerDrawing {
 public:
  LayerDrawing(const PageParameter& parameter, double width)
      : parameter_(parameter), width_(width), layers_(layers_of(parameter)) {
    std::vector<double> values;
    for (std::size_t i = 0; i < layers_; ++i) {
      for (const bool first : {true, false}) {
        for (const auto* table : {&parameter_.mean, &parameter_.low, &parameter_.high}) {
          values.push_back(value_of(*table, i, first));
        }
      }
    }
    chart_.x = {.label = parameter.parameter, .range = range_around(values)};
    chart_.y.range = {0, 1};
    const double height = std::max(kHeight, kLeastRow * static_cast<double>(layers_) + 8);
    keys_ = keys();
    const double top = top_below(keys_, width - 2 * kEdge);
    chart_.box = {kEdge + names_width() + 8, top, width - kEdge - 4, top + height};
    chart_.x.ticks = ticks_for_width(chart_.x.range, chart_.box.width());
    row_ = (height - 8) / static_cast<double>(layers_);
  }

  std::string draw() const {
    SvgPicture picture(
        {.width = width_,
         .height = chart_.box.bottom + x_labels_height(chart_.x) + kEdge,
         .title = name_of(parameter_) + " by layer",
         .description = "before training and after " + short_text(last_epoch(parameter_), 6) + " epochs"});
    draw_keys(picture, keys_, {kEdge, kEdge, width_ - kEdge, chart_.box.top});
    draw_axes(picture, chart_);
    names(picture);
    for (std::size_t i = 0; i < layers_; ++i) layer(picture, i);
    return picture.finish();
  }

 private:
  static constexpr double kLeastRow = 7;
  using Table = std::vector<std::vector<double>>;

  static double value_of(const Table& table, std::size_t layer, bool first) {
    if (layer >= table.size() || table[layer].empty()) return std::nan("");
    return first ? table[layer].front() : table[layer].back();
  }

  double y_of(std::size_t layer) const { return chart_.box.top + 4 + row_ * (static_cast<double>(layer) + 0.5); }

  double names_width() const {
    double widest = 0;
    for (std::size_t i = 0; i < layers_; ++i) widest = std::max(widest, kTickSize * text_width(parameter_.layers[i]));
    return std::min(std::ceil(widest), 0.34 * width_);
  }

  bool has_ranges() const {
    for (std::size_t i = 0; i < layers_; ++i) {
      if (value_of(parameter_.low, i, false) < value_of(parameter_.high, i, false)) return true;
    }
    return false;
  }

  std::vector<Key> keys() const {
    std::vector<Key> keys{{Key::Mark::kRing, std::string(kAxisColor), "before"},
                          {Key::Mark::kDot, depth_color(layers_ / 2, layers_),
                           "after " + short_text(last_epoch(parameter_), 6) + " epochs"}};
    if (has_ranges()) keys.push_back({Key::Mark::kBar, "#d5dde2", "lowest to highest"});
    return keys;
  }

  // As many as fit, evenly spread.
  void names(SvgPicture& picture) const {
    const auto step = static_cast<std::size_t>(std::max(1.0, std::ceil(14 / row_)));
    picture.open_group("class=\"layers\" text-anchor=\"end\"" + attribute("fill", kSoftInk));
    for (std::size_t i = 0; i < layers_; i += step) {
      picture.fitted(chart_.box.left - 7, y_of(i) + 0.36 * kTickSize, parameter_.layers[i],
                     {chart_.box.left - kEdge - 7, kTickSize}, "");
    }
    picture.close_group();
  }

  void layer(SvgPicture& picture, std::size_t i) const {
    const double y = y_of(i), half = std::clamp(row_ / 2 - 2, 2.0, 6.0);
    range(picture, i, false, "class=\"range\" stroke=\"#d5dde2\"" + attribute("stroke-width", px(half * 1.6)));
    range(picture, i, true, "class=\"range\" stroke=\"#a5adb2\" stroke-width=\"1.2\"");
    const double before = value_of(parameter_.mean, i, true), after = value_of(parameter_.mean, i, false);
    const double radius = std::min(4.2, half);
    if (seen(before) && seen(after))
      picture.line(chart_.x_of(before), y, chart_.x_of(after), y, "class=\"move\"" + attribute("stroke", kAxisColor));
    if (seen(before)) {
      picture.circle(chart_.x_of(before), y, radius,
                     "class=\"before\" fill=\"#ffffff\" stroke-width=\"1.5\"" + attribute("stroke", kAxisColor),
                     parameter_.layers[i] + ": " + short_text(before, 4));
    }
    if (seen(after)) {
      picture.circle(chart_.x_of(after), y, radius, "class=\"after\"" + attribute("fill", depth_color(i, layers_)),
                     parameter_.layers[i] + ": " + short_text(after, 4));
    }
  }

  bool seen(double value) const { return std::isfinite(value) && chart_.x.range.contains(value); }

  void range(SvgPicture& picture, std::size_t i, bool first, const std::string& style) const {
    const double low = value_of(parameter_.low, i, first), high = value_of(parameter_.high, i, first);
    if (!(low < high) || !std::isfinite(low) || !std::isfinite(high)) return;
    const AxisRange& all = chart_.x.range;
    picture.line(chart_.x_of(std::clamp(low, all.low, all.high)), y_of(i),
                 chart_.x_of(std::clamp(high, all.low, all.high)), y_of(i), style);
  }

  const PageParameter& parameter_;
  double width_;
  std::size_t layers_;
  double row_ = 20;
  std::vector<Key> keys_;
  Chart chart_;
};

}  // namespace

std::string parameter_by_layer(const PageParameter& parameter, double width) {
  return has_values(parameter) ? LayerDrawing(parameter, width).draw() : "";
}

}  // namespace actforge
