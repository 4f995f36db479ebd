#include <algorithm>
#include <cmath>

#include "actforge/report/page/study_charts.h"
#include "actforge/report/plots/chart.h"
#include "actforge/report/svg/text.h"

namespace actforge {
namespace {

constexpr double kWidth = 300, kHeight = 200, kEdge = 8;
constexpr std::string_view kValueColor = "#0072b2", kSlopeColor = "#d55e00";

void draw_curve(SvgPicture& picture, const Series& series, const Chart& chart, const std::string& style) {
  const PlotFrame view{.x = chart.x.range, .y = chart.y.range};
  const auto [lines, dots] = curve_paths(series, view, chart.box);
  picture.path(lines, style + " fill=\"none\" stroke-linejoin=\"round\"", series.label);
  picture.path(dots, style + " fill=\"none\" stroke-linecap=\"round\"", series.label);
}

Chart chart_in(const PageFunction& function, const Box& room) {
  const PlotFrame frame = frame_of({.series = {function.value, function.slope}});
  Chart chart;
  chart.y = {.range = frame.y, .ticks = nice_ticks(frame.y, 4)};
  chart.x = {.range = frame.x};
  chart.box = {room.left + kEdge + std::max(y_labels_width(chart.y), 34.0), room.top + kEdge, room.right - kEdge - 2,
               room.bottom - x_labels_height(chart.x) - 2};
  chart.x.ticks = ticks_for_width(chart.x.range, chart.box.width());
  return chart;
}

void draw_function(SvgPicture& picture, const PageFunction& function, const Box& room) {
  const Chart chart = chart_in(function, room);
  draw_axes(picture, chart, true);
  const auto named = [](Series series, const char* name) {
    if (series.label.empty()) series.label = name;
    return series;
  };
  draw_curve(picture, named(function.slope, "derivative"), chart,
             "class=\"slope\" stroke-width=\"1.8\" stroke-dasharray=\"5 3.5\"" + attribute("stroke", kSlopeColor));
  draw_curve(picture, named(function.value, "function"), chart,
             "class=\"value\" stroke-width=\"2.4\"" + attribute("stroke", kValueColor));
  if (!has_points(function.value)) {
    picture.text((chart.box.left + chart.box.right) / 2, (chart.box.top + chart.box.bottom) / 2,
                 "no finite values to show",
                 "font-size=\"12\" text-anchor=\"middle\"" + attribute("fill", kAxisColor) + " " + std::string(kHalo));
  }
}

}  // namespace

std::string function_chart(const PageFunction& function) {
  SvgPicture picture({.width = kWidth, .height = kHeight, .title = function.expression + " and its derivative"});
  draw_function(picture, function, {0, 0, kWidth, kHeight});
  return picture.finish();
}

std::string functions_sheet(const std::vector<PageFunction>& functions) {
  if (functions.empty()) return {};
  constexpr double kCaption = 54, kKeys = 30, kGap = 16;
  const std::size_t columns = std::min<std::size_t>(functions.size(), 3);
  const std::size_t rows = (functions.size() + columns - 1) / columns;
  const double width = static_cast<double>(columns) * (kWidth + kGap) + kGap;
  const double pitch = kHeight + kCaption;
  SvgPicture picture({.width = width,
                      .height = kKeys + static_cast<double>(rows) * pitch + kGap,
                      .title = "The best functions, each with its derivative"});
  draw_keys(picture,
            {{Key::Mark::kLine, std::string(kValueColor), "function"},
             {Key::Mark::kDashes, std::string(kSlopeColor), "derivative"}},
            {kGap + 42, 8, width - kGap, kKeys});
  for (std::size_t i = 0; i < functions.size(); ++i) {
    const std::size_t row = i / columns, column = i % columns;
    const double left = kGap + static_cast<double>(column) * (kWidth + kGap);
    const double top = kKeys + static_cast<double>(row) * pitch;
    draw_function(picture, functions[i], {left, top, left + kWidth, top + kHeight});
    const double caption_left = left + 42;
    picture.fitted(caption_left, top + kHeight + 17, std::to_string(i + 1) + ". " + functions[i].expression,
                   {kWidth - 50, 12}, "");
    if (!functions[i].scores.empty()) {
      picture.text(caption_left, top + kHeight + 33, typeset(short_text(functions[i].scores[0], 5)),
                   "font-size=\"11\"" + attribute("fill", kSoftInk));
    }
  }
  return picture.finish();
}

}  // namespace actforge
