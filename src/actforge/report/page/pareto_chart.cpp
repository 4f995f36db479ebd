#include "actforge/report/page/study_charts.h"
#include "actforge/report/page/study_curves.h"
#include "actforge/report/plots/chart.h"

namespace actforge {
namespace {

constexpr double kEdge = 10;
constexpr std::string_view kTrialColor = "#4a9fd4", kFrontColor = "#d55e00";

ChartAxis axis_of(const PageObjective& objective, const std::vector<double>& values,
                  const std::vector<const PageTrial*>& front, std::size_t index) {
  ChartAxis axis{.label = objective.name + (objective.less_is_better ? " (less is better)" : ""),
                 .range = range_around(values)};
  for (const PageTrial* trial : front) axis.range = with_value(axis.range, trial->scores[index]);
  return axis;
}

// Along the edge of what the front beats: a step whose corners are the worse of two neighbours.
void draw_front(SvgPicture& picture, const Chart& chart, const std::vector<const PageTrial*>& front) {
  std::string data;
  Dots dots;
  for (const PageTrial* trial : front) {
    const double x = chart.x_of(trial->scores[0]), y = chart.y_of(trial->scores[1]);
    data += data.empty() ? "M" + point_text(x, y) : "H" + px(x) + "V" + px(y);
    dots.add(x, y);
  }
  picture.path(data, "class=\"front\" fill=\"none\" stroke-width=\"1.6\"" + attribute("stroke", kFrontColor));
  dots.draw(picture, kFrontColor, 7.5);
  if (front.size() > 200) return;
  for (const PageTrial* trial : front) {
    picture.circle(chart.x_of(trial->scores[0]), chart.y_of(trial->scores[1]), 6, "fill-opacity=\"0\"",
                   "trial " + std::to_string(trial->number) + ": " + trial->expression);
  }
}

}  // namespace

std::string pareto_chart(const StudyPage& page, double width) {
  const std::vector<const PageTrial*> front = pareto_front(page);
  if (front.empty()) return {};
  std::vector<double> first, second;
  for (const PageTrial* trial : scored_trials(page)) {
    if (!has_score(*trial, 1)) continue;
    first.push_back(trial->scores[0]);
    second.push_back(trial->scores[1]);
  }
  const std::vector<Key> keys{{Key::Mark::kDot, std::string(kTrialColor), "trial"},
                              {Key::Mark::kLine, std::string(kFrontColor), "Pareto front"}};
  Chart chart;
  chart.x = axis_of(page.objectives[0], first, front, 0);
  chart.y = axis_of(page.objectives[1], second, front, 1);
  // As high as the chart of costs, which stands beside it.
  const double side = width > 400 ? 330 : 220;
  const double top = kEdge + 64;
  chart.y.ticks = ticks_for_height(chart.y.range, side);
  chart.box = {kEdge + y_labels_width(chart.y), top, width - kEdge - 4, top + side};
  chart.x.ticks = ticks_for_width(chart.x.range, chart.box.width());

  SvgPicture picture({.width = width,
                      .height = chart.box.bottom + x_labels_height(chart.x) + kEdge,
                      .title = page.objectives[0].name + " against " + page.objectives[1].name,
                      .description = std::to_string(front.size()) + " trials are on the Pareto front"});
  draw_keys(picture, keys, {chart.box.left, top - 26, width - kEdge, top});
  draw_axes(picture, chart);
  Dots dots;
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (chart.x.range.contains(first[i]) && chart.y.range.contains(second[i]))
      dots.add(chart.x_of(first[i]), chart.y_of(second[i]));
  }
  dots.draw(picture, kTrialColor, dot_size(first.size()), 0.8);
  draw_front(picture, chart, front);
  return picture.finish();
}

}  // namespace actforge
