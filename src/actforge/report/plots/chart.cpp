#include "actforge/report/plots/chart.h"

#include <algorithm>
#include <cmath>

#include "actforge/report/plots/curve.h"
#include "actforge/report/svg/text.h"

namespace actforge {
namespace {

constexpr double kLargest = 1e300;  // differences of such values do not overflow

std::string font(double size, std::string_view color) {
  return "font-size=\"" + px(size) + "\" fill=\"" + std::string(color) + "\"";
}

void draw_grid(SvgPicture& picture, const Chart& chart) {
  const Box& box = chart.box;
  picture.open_group("class=\"grid\" fill=\"none\"" + attribute("stroke", kGridColor));
  for (const Tick& tick : chart.x.ticks)
    picture.line(chart.x_of(tick.value), box.top, chart.x_of(tick.value), box.bottom);
  for (const Tick& tick : chart.y.ticks)
    picture.line(box.left, chart.y_of(tick.value), box.right, chart.y_of(tick.value));
  picture.close_group();
}

void draw_zero_lines(SvgPicture& picture, const Chart& chart) {
  const Box& box = chart.box;
  picture.open_group("class=\"zero\" fill=\"none\"" + attribute("stroke", "#9a9a9a"));
  if (chart.y.range.contains(0)) picture.line(box.left, chart.y_of(0), box.right, chart.y_of(0));
  if (chart.x.range.contains(0)) picture.line(chart.x_of(0), box.top, chart.x_of(0), box.bottom);
  picture.close_group();
}

void draw_labels(SvgPicture& picture, const Chart& chart) {
  const Box& box = chart.box;
  const double bottom = box.bottom + x_labels_height(chart.x);
  picture.fitted((box.left + box.right) / 2, bottom - 4, chart.x.label, {box.width(), kLabelSize},
                 "text-anchor=\"middle\"");
  const double x = box.left - y_labels_width(chart.y) + kLabelSize - 2;
  const double y = (box.top + box.bottom) / 2;
  picture.fitted(x, y, chart.y.label, {box.height(), kLabelSize},
                 "text-anchor=\"middle\" transform=\"rotate(-90 " + point_text(x, y) + ")\"");
}

constexpr double kKeyMark = 20, kKeyGap = 6, kBetweenKeys = 20, kKeyRow = 19, kKeySize = 12;

// Calls `place` with each entry and its left end and row; gives the number of rows.
int for_each_key(const std::vector<Key>& keys, double width, const auto& place) {
  double x = 0;
  int row = 0;
  for (const Key& key : keys) {
    const double needed = std::min(width, kKeyMark + kKeyGap + std::ceil(kKeySize * text_width(key.text)));
    if (x > 0 && x + needed > width) x = 0, ++row;
    place(key, x, row);
    x += needed + kBetweenKeys;
  }
  return keys.empty() ? 0 : row + 1;
}

void draw_key_mark(SvgPicture& picture, const Key& key, double x, double y) {
  const std::string stroke = attribute("stroke", key.color) + " fill=\"none\"";
  const double middle = x + kKeyMark / 2;
  switch (key.mark) {
    case Key::Mark::kDot: picture.circle(middle, y, 3, attribute("fill", key.color)); break;
    case Key::Mark::kRing: picture.circle(middle, y, 4, stroke + " stroke-width=\"1.6\""); break;
    case Key::Mark::kLine: picture.line(x, y, x + kKeyMark, y, stroke + " stroke-width=\"2.4\""); break;
    case Key::Mark::kDashes:
      picture.line(x, y, x + kKeyMark, y, stroke + " stroke-width=\"1.6\" stroke-dasharray=\"5 3\"");
      break;
    case Key::Mark::kTick: picture.line(middle, y - 4, middle, y + 4, stroke + " stroke-width=\"1.6\""); break;
    case Key::Mark::kTriangle:
      picture.path("M" + point_text(middle - 4, y + 3) + "h8l-4 -7z", attribute("fill", key.color));
      break;
    case Key::Mark::kBar: picture.line(x, y, x + kKeyMark, y, stroke + " stroke-width=\"6\""); break;
  }
}

}  // namespace

double widest_label(const std::vector<Tick>& ticks) {
  double width = 0;
  for (const Tick& tick : ticks) width = std::max(width, kTickSize * text_width(typeset(tick.label)));
  return width;
}

double y_labels_width(const ChartAxis& axis) {
  return widest_label(axis.ticks) + 8 + (axis.label.empty() ? 0 : kLabelSize + 6);
}

double x_labels_height(const ChartAxis& axis) { return 8 + kTickSize + (axis.label.empty() ? 0 : kLabelSize + 9); }

std::vector<Tick> ticks_for_width(const AxisRange& range, double width) {
  for (int wanted = std::max(1, static_cast<int>(width / 55));; --wanted) {
    std::vector<Tick> ticks = nice_ticks(range, wanted);
    if (wanted == 1 || static_cast<double>(ticks.size()) * (widest_label(ticks) + 18) <= width) return ticks;
  }
}

std::vector<Tick> ticks_for_height(const AxisRange& range, double height) {
  return nice_ticks(range, std::max(2, static_cast<int>(height / 48)));
}

std::vector<Tick> whole_ticks(std::vector<Tick> ticks) {
  std::erase_if(ticks, [](const Tick& tick) { return tick.value != std::round(tick.value); });
  return ticks;
}

AxisRange range_around(std::vector<double> values) {
  std::erase_if(values, [](double value) { return !std::isfinite(value); });
  if (values.empty()) return {0, 1};
  for (double& value : values) value = std::clamp(value, -kLargest, kLargest);
  std::sort(values.begin(), values.end());
  AxisRange range{values.front(), values.back()};
  const std::size_t n = values.size();
  const AxisRange core{values[n / 10], values[n - 1 - n / 10]};
  if (n >= 16 && core.length() > 0 && range.length() > 8 * core.length()) {
    range = {std::max(range.low, core.low - 2 * core.length()), std::min(range.high, core.high + 2 * core.length())};
  }
  const double size = std::max(std::abs(range.low), std::abs(range.high));
  const double margin = range.length() > 1e-9 * size ? 0.05 * range.length() : size > 0 ? 0.1 * size : 1;
  return {range.low - margin, range.high + margin};
}

AxisRange with_value(const AxisRange& range, double value) {
  const double margin = 0.05 * range.length();
  value = std::clamp(value, -kLargest, kLargest);
  return {std::min(range.low, value - margin), std::max(range.high, value + margin)};
}

void draw_axes(SvgPicture& picture, const Chart& chart, bool with_zero) {
  const Box& box = chart.box;
  draw_grid(picture, chart);
  if (with_zero) draw_zero_lines(picture, chart);
  picture.rect(box, "class=\"frame\" fill=\"none\"" + attribute("stroke", kFrameColor));
  picture.open_group("class=\"x-ticks\" text-anchor=\"middle\" " + font(kTickSize, kSoftInk));
  for (const Tick& tick : chart.x.ticks)
    picture.text(chart.x_of(tick.value), box.bottom + 6 + kTickSize, typeset(tick.label), "");
  picture.close_group();
  picture.open_group("class=\"y-ticks\" text-anchor=\"end\" " + font(kTickSize, kSoftInk));
  for (const Tick& tick : chart.y.ticks)
    picture.text(box.left - 7, chart.y_of(tick.value) + 0.36 * kTickSize, typeset(tick.label), "");
  picture.close_group();
  draw_labels(picture, chart);
}

CurvePaths curve_paths(const Series& series, const PlotFrame& view, const Box& box, double overlap) {
  const auto at = [&box](const FramePoint& point) {
    return point_text(box.left + point.u * box.width(), box.bottom - point.v * box.height());
  };
  CurvePaths paths;
  for (const Polyline& piece : visible_pieces(series, view, {overlap / box.width(), overlap / box.height()})) {
    if (piece.size() == 1) {
      paths.dots.append("M").append(at(piece[0])).append("h0");  // round thanks to the caps
      continue;
    }
    std::string last = at(piece[0]);
    paths.lines.append("M").append(last);
    for (const FramePoint& point : piece) {
      const std::string here = at(point);
      if (here != last) paths.lines.append("L").append(here);
      last = here;
    }
  }
  return paths;
}

double keys_height(const std::vector<Key>& keys, double width) {
  return kKeyRow * for_each_key(keys, width, [](const Key&, double, int) {});
}

void draw_keys(SvgPicture& picture, const std::vector<Key>& keys, const Box& room) {
  picture.open_group("class=\"legend\"");
  for_each_key(keys, room.width(), [&](const Key& key, double x, int row) {
    const double y = room.top + kKeyRow * (row + 0.5);
    draw_key_mark(picture, key, room.left + x, y);
    picture.fitted(room.left + x + kKeyMark + kKeyGap, y + 0.36 * kKeySize, key.text,
                   {room.width() - kKeyMark - kKeyGap + 1, kKeySize}, "");
  });
  picture.close_group();
}

void Dots::add(double x, double y) {
  // Tenths of pixels are fine enough for dots, and two at one place look like one.
  const std::string here = fixed_text(x, 1) + " " + fixed_text(y, 1);
  if (here == last_) return;
  data_.append("M").append(here).append("h0");
  last_ = here;
}

void Dots::draw(SvgPicture& picture, std::string_view color, double diameter, double opacity) const {
  picture.path(data_, "class=\"dots\" fill=\"none\" stroke-linecap=\"round\"" + attribute("stroke", color) +
                          attribute("stroke-width", px(diameter)) +
                          (opacity < 1 ? attribute("stroke-opacity", px(opacity)) : ""));
}

double dot_size(std::size_t count) { return count <= 100 ? 6 : count <= 500 ? 5 : count <= 3000 ? 3.6 : 2.6; }

}  // namespace actforge
