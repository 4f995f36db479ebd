#include "actforge/report/graphs/point_picture.h"

#include <algorithm>
#include <cmath>

#include "actforge/base/error.h"
#include "actforge/report/plots/chart.h"
#include "actforge/report/svg/text.h"

namespace actforge {
namespace {

constexpr double kWidth = 720, kMapHeight = 430, kEdge = 12, kTitle = 30, kKeys = 30;
constexpr double kGap = 10, kCellRatio = 0.72;  // of the small plots: their distance, and height by width
constexpr std::string_view kDotColor = "#9db8cc", kKnownColor = "#0072b2", kPlaceColor = "#d55e00",
                           kWantedColor = "#999999";

class PlaceDrawing {
 public:
  explicit PlaceDrawing(const PointPicture& what) : what_(what) {
    columns_ = std::max<std::size_t>(1, std::min(what.columns, what.made.size()));
    rows_ = what.made.empty() ? 0 : (what.made.size() + columns_ - 1) / columns_;
    cell_ = std::min(220.0,
                     (kWidth - 2 * kEdge - kGap * static_cast<double>(columns_ - 1)) / static_cast<double>(columns_));
    map_top_ = (what.title.empty() ? kEdge : kTitle) + kKeys;
  }

  std::string draw() {
    const double cells_top = map_top_ + kMapHeight + 44;
    const double pitch = cell_ * kCellRatio + kGap + (what_.same_axes ? 0 : 12);
    SvgPicture picture({.width = kWidth,
                        .height = cells_top + static_cast<double>(rows_) * pitch + kEdge,
                        .title = what_.title.empty() ? "Places on a map of functions" : what_.title,
                        .description = std::to_string(what_.x.size()) + " functions and " +
                                       std::to_string(what_.made.size()) + " places"});
    if (!what_.title.empty()) {
      picture.fitted(kEdge, 21, what_.title, {kWidth - 2 * kEdge, 15},
                     attribute("fill", kInk) + " font-weight=\"600\"");
    }
    draw_keys(picture,
              {{Key::Mark::kDot, std::string(kDotColor), "function"},
               {Key::Mark::kDot, std::string(kKnownColor), "well known"},
               {Key::Mark::kLine, std::string(kPlaceColor), "place, and the function made for it"},
               {Key::Mark::kDashes, std::string(kWantedColor), "outputs that were wanted"}},
              {kEdge, map_top_ - kKeys + 2, kWidth - kEdge, map_top_});
    draw_map(picture);
    draw_cells(picture, cells_top, pitch);
    return picture.finish();
  }

 private:
  void draw_map(SvgPicture& picture) {
    Chart chart;
    chart.x.range = with_room(what_.x, true);
    chart.y.range = with_room(what_.y, false);
    chart.box = {kEdge, map_top_, kWidth - kEdge, map_top_ + kMapHeight};
    chart.y.ticks = ticks_for_height(chart.y.range, kMapHeight);
    chart.box.left += y_labels_width(chart.y);
    chart.x.ticks = ticks_for_width(chart.x.range, chart.box.width());
    draw_axes(picture, chart);
    Dots dots;
    for (std::size_t i = 0; i < what_.x.size(); ++i) dots.add(chart.x_of(what_.x[i]), chart.y_of(what_.y[i]));
    dots.draw(picture, kDotColor, std::max(2.0, dot_size(what_.x.size())), 0.8);
    draw_places(picture, chart);
    draw_names(picture, chart);
  }

  // Each name beside its dot, where it covers no other name, if there is such a side.
  void draw_names(SvgPicture& picture, const Chart& chart) {
    constexpr double kSize = 12, kAway = 7;
    std::vector<Box> taken;
    for (const PointPicture::Spot& spot : what_.known) {
      const double x = chart.x_of(spot.x), y = chart.y_of(spot.y), width = kSize * text_width(spot.name);
      picture.circle(x, y, 4, attribute("fill", kKnownColor), spot.name);
      const auto at = [&](double left, double middle) {
        return Box{left, middle - kSize / 2, left + width, middle + kSize / 2};
      };
      const Box sides[] = {at(x + kAway, y), at(x - kAway - width, y), at(x - width / 2, y - 2 * kAway),
                           at(x - width / 2, y + 2 * kAway)};
      const auto is_free = [&](const Box& box) {
        return box.left >= chart.box.left && box.right <= chart.box.right &&
               std::ranges::none_of(taken, [&](const Box& other) {
                 return box.left < other.right && other.left < box.right && box.top < other.bottom &&
                        other.top < box.bottom;
               });
      };
      const auto found = std::ranges::find_if(sides, is_free);
      const Box box = found == std::end(sides) ? sides[0] : *found;
      taken.push_back(box);
      picture.text(box.left, box.bottom - 2, spot.name,
                   "font-size=\"12\"" + attribute("fill", kKnownColor) + " " + std::string(kHalo));
    }
  }

  void draw_places(SvgPicture& picture, const Chart& chart) {
    const bool crowded = what_.made.size() > 12;  // then the ends of rows have numbers, no others
    for (std::size_t i = 0; i < what_.made.size(); ++i) {
      const double x = chart.x_of(what_.made[i].x), y = chart.y_of(what_.made[i].y), r = 4;
      picture.path("M" + point_text(x - r, y - r) + "L" + point_text(x + r, y + r) + "M" + point_text(x - r, y + r) +
                       "L" + point_text(x + r, y - r),
                   "fill=\"none\" stroke-width=\"2\"" + attribute("stroke", kPlaceColor), "place " + number(i));
      if (crowded && i % columns_ != 0 && i % columns_ + 1 != columns_) continue;
      picture.text(
          x, y - 7, number(i),
          "font-size=\"11\" text-anchor=\"middle\"" + attribute("fill", kPlaceColor) + " " + std::string(kHalo));
    }
  }

  // Every dot and every place is to be seen.
  AxisRange with_room(const std::vector<double>& values, bool across) const {
    std::vector<double> all = values;
    for (const PointPicture::Made& made : what_.made) all.push_back(across ? made.x : made.y);
    if (all.empty()) return {};
    const auto [low, high] = std::ranges::minmax(all);
    const double room = high > low ? 0.04 * (high - low) : 1;
    return {low - room, high + room};
  }

  static LinePlot plot_of(const PointPicture::Made& made) { return {.series = {made.wanted, made.function}}; }

  // Of all functions. One that is much larger than most goes beyond its plot, so that the others are not flat.
  PlotFrame common_frame() const {
    constexpr double kLarger = 2;
    std::vector<double> lows, highs;
    for (const PointPicture::Made& made : what_.made) {
      const PlotFrame frame = frame_of(plot_of(made));
      lows.push_back(frame.y.low);
      highs.push_back(frame.y.high);
    }
    PlotFrame frame = frame_of(plot_of(what_.made[0]));
    std::ranges::sort(lows);
    std::ranges::sort(highs);
    const double low = lows[lows.size() / 2], high = highs[highs.size() / 2], room = kLarger * (high - low);
    frame.y = {std::max(lows.front(), low - room), std::min(highs.back(), high + room)};
    return frame;
  }

  void draw_cells(SvgPicture& picture, double top, double pitch) {
    if (what_.made.empty()) return;
    const PlotFrame common = common_frame();
    for (std::size_t i = 0; i < what_.made.size(); ++i) {
      const std::size_t row = i / columns_, column = i % columns_;
      const double left = kEdge + static_cast<double>(column) * (cell_ + kGap);
      const double up = top + static_cast<double>(row) * pitch;
      draw_cell(picture, i, what_.same_axes ? common : frame_of(plot_of(what_.made[i])),
                {left, up, left + cell_, up + cell_ * kCellRatio});
    }
  }

  void draw_cell(SvgPicture& picture, std::size_t i, const PlotFrame& frame, const Box& box) {
    picture.rect(box, "fill=\"none\"" + attribute("stroke", kFrameColor));
    const Chart chart = {.box = box, .x = {.range = frame.x}, .y = {.range = frame.y}};
    const std::string thin = attribute("stroke", kGridColor);
    if (frame.x.contains(0)) picture.line(chart.x_of(0), box.top, chart.x_of(0), box.bottom, thin);
    if (frame.y.contains(0)) picture.line(box.left, chart.y_of(0), box.right, chart.y_of(0), thin);
    const auto curve = [&](const Series& series, const std::string& style) {
      picture.path(curve_paths(series, frame, box).lines, style + " fill=\"none\" stroke-linejoin=\"round\"");
    };
    curve(what_.made[i].function, "stroke-width=\"2\"" + attribute("stroke", kPlaceColor));
    curve(what_.made[i].wanted, "stroke-width=\"1.2\" stroke-dasharray=\"4 3\"" + attribute("stroke", kWantedColor));
    picture.text(box.left + 5, box.top + 13, number(i),
                 "font-size=\"11\"" + attribute("fill", kSoftInk) + " " + std::string(kHalo));
    // How far the axes go: once, where they are the same.
    const auto ends = [](const AxisRange& range) {
      return typeset(short_text(range.low, 2)) + " to " + typeset(short_text(range.high, 2));
    };
    const std::string small = "font-size=\"10.5\"" + attribute("fill", kSoftInk);
    if (i == 0) {
      const std::string both = what_.same_axes ? ", y " + ends(frame.y) : ", y as it is written below";
      picture.text(box.left, box.top - 6, "small plots: x " + ends(frame.x) + both, small);
    }
    if (!what_.same_axes) picture.text(box.left + 2, box.bottom + 12, "y " + ends(frame.y), small);
  }

  static std::string number(std::size_t i) { return std::to_string(i + 1); }

  const PointPicture& what_;
  std::size_t columns_ = 1, rows_ = 0;
  double cell_ = 0, map_top_ = 0;
};

}  // namespace

std::string to_svg(const PointPicture& picture) {
  if (picture.x.size() != picture.y.size()) throw Error(ErrorCode::kFailed, "a map has as many x as y");
  return PlaceDrawing(picture).draw();
}

}  // namespace actforge
