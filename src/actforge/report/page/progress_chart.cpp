#include <algorithm>
#include <cmath>

#include "actforge/report/page/study_charts.h"
#include "actforge/report/page/study_curves.h"
#include "actforge/report/plots/chart.h"
#include "actforge/report/svg/text.h"

namespace actforge {
namespace {

constexpr double kEdge = 10;
constexpr std::string_view kTrialColor = "#4a9fd4", kBestColor = "#0072b2", kAverageColor = "#dd9200",
                           kBaselineColor = "#333333", kFailedColor = "#d55e00";

class ProgressDrawing {
 public:
  ProgressDrawing(const StudyPage& page, double width)
      : page_(page), objective_(first_objective(page)), finished_(finished_trials(page)), scored_(scored_trials(page)) {
    for (const PageTrial* trial : scored_) scores_.push_back(trial->scores[0]);
    best_ = best_so_far(scores_, objective_);
    const auto window = static_cast<std::size_t>(std::max<std::int64_t>(page.population, 0));
    if (window > 1) average_ = moving_average(scores_, window);
    lay_out(width);
  }

  std::string draw() {
    const double height = chart_.box.bottom + x_labels_height(chart_.x) + kEdge;
    SvgPicture picture(
        {.width = width_, .height = height, .title = "Progress of the search", .description = summary()});
    draw_keys(picture, keys_, {chart_.box.left, kEdge, width_ - kEdge, chart_.box.top});
    draw_axes(picture, chart_);
    baseline(picture);
    intervals(picture);
    points(picture);
    failures(picture);
    average(picture);
    best(picture);
    points_beyond(picture);
    end_labels(picture);
    return picture.finish();
  }

 private:
  void lay_out(double width) {
    width_ = width;
    keys_ = keys();
    const double left_guess = 70;
    const double top = kEdge + keys_height(keys_, width - kEdge - left_guess) + 8;
    label_room_ = 12 * std::max(text_width("0.00000"), page_.baseline_score ? text_width(baseline_name()) : 0) + 1;
    label_room_ = std::min(label_room_, width > 500 ? 150.0 : 54.0);
    chart_.box = {.left = 0, .top = top, .right = width - 12 - label_room_, .bottom = top + (width > 500 ? 300 : 230)};
    const AxisRange range = y_range();
    chart_.y = {.label = objective_.name + (objective_.less_is_better ? " (less is better)" : ""), .range = range};
    chart_.y.ticks = ticks_for_height(range, chart_.box.height());
    chart_.box.left = kEdge + y_labels_width(chart_.y);
    const auto last = static_cast<double>(finished_.back()->finish_order + 1);
    chart_.x = {.label = "finished trials", .range = {0, std::max(last * 1.01, last + 0.5)}};
    chart_.x.ticks = whole_ticks(ticks_for_width(chart_.x.range, chart_.box.width()));
  }

  AxisRange y_range() const {
    const AxisRange range = with_value(range_around(scores_), best_.back());
    return page_.baseline_score ? with_value(range, *page_.baseline_score) : range;
  }

  std::vector<Key> keys() const {
    std::vector<Key> keys{{Key::Mark::kDot, std::string(kTrialColor), "trial"},
                          {Key::Mark::kLine, std::string(kBestColor), "best so far"}};
    const bool repeated =
        std::any_of(scored_.begin(), scored_.end(), [](const PageTrial* t) { return t->runs.count > 1; });
    if (repeated) keys.push_back({Key::Mark::kLine, std::string(kTrialColor), "95% interval of repeated ones"});
    if (!average_.empty())
      keys.push_back(
          {Key::Mark::kLine, std::string(kAverageColor), "mean of the last " + std::to_string(page_.population)});
    if (page_.baseline_score) keys.push_back({Key::Mark::kDashes, std::string(kBaselineColor), baseline_name()});
    const AxisRange range = y_range();
    if (std::any_of(scores_.begin(), scores_.end(), [&](double score) { return !range.contains(score); }))
      keys.push_back({Key::Mark::kTriangle, std::string(kTrialColor), "trial beyond the frame"});
    if (finished_.size() > scored_.size())
      keys.push_back({Key::Mark::kTick, std::string(kFailedColor), "without a score"});
    return keys;
  }

  std::string baseline_name() const { return page_.baseline.empty() ? "baseline" : page_.baseline; }

  std::string summary() const {
    const auto winner = std::find(scores_.begin(), scores_.end(), best_.back());
    std::string text = std::to_string(scored_.size()) + " of " + std::to_string(finished_.size()) +
                       " finished trials have a score; the best is " + short_text(best_.back(), 4) + ", of trial " +
                       std::to_string(scored_[static_cast<std::size_t>(winner - scores_.begin())]->number);
    if (page_.baseline_score) text += "; " + baseline_name() + " has " + short_text(*page_.baseline_score, 4);
    return text;
  }

  double x_of(const PageTrial& trial) const { return chart_.x_of(static_cast<double>(trial.finish_order + 1)); }

  void points(SvgPicture& picture) const {
    Dots dots;
    for (const PageTrial* trial : scored_) {
      if (chart_.y.range.contains(trial->scores[0])) dots.add(x_of(*trial), chart_.y_of(trial->scores[0]));
    }
    dots.draw(picture, kTrialColor, dot_size(scored_.size()), 0.8);
  }

  // Of functions that were evaluated more than once.
  void intervals(SvgPicture& picture) const {
    std::string bars;
    for (const PageTrial* trial : scored_) {
      if (trial->runs.count < 2 || !std::isfinite(trial->runs.low)) continue;
      bars += "M" + point_text(x_of(*trial), chart_.y_of(inside(trial->runs.low))) + "V" +
              px(chart_.y_of(inside(trial->runs.high)));
    }
    picture.path(bars,
                 "class=\"interval\" fill=\"none\" stroke-width=\"1.6\" stroke-opacity=\"0.7\"" +
                     attribute("stroke", kTrialColor),
                 "95% interval of the mean");
  }

  // Small arrows at the edge towards which they lie.
  void points_beyond(SvgPicture& picture) const {
    std::string arrows;
    for (const PageTrial* trial : scored_) {
      const bool above = trial->scores[0] > chart_.y.range.high;
      if (chart_.y.range.contains(trial->scores[0])) continue;
      arrows += "M" + point_text(x_of(*trial) - 4, above ? chart_.box.top + 9 : chart_.box.bottom - 9) + "h8l-4 " +
                (above ? "-8z" : "8z");
    }
    picture.path(arrows, "class=\"beyond\"" + attribute("fill", kTrialColor), "beyond the frame");
  }

  void failures(SvgPicture& picture) const {
    std::string ticks;
    const bool many = finished_.size() - scored_.size() > 200;
    for (const PageTrial* trial : finished_) {
      if (!has_score(*trial)) ticks += "M" + point_text(x_of(*trial), chart_.box.bottom) + "v-8";
    }
    picture.path(ticks,
                 "class=\"failed\" fill=\"none\"" + attribute("stroke-width", many ? "0.6" : "1.4") +
                     attribute("stroke", kFailedColor),
                 "ended without a score");
  }

  void best(SvgPicture& picture) const {
    std::string data = "M" + point_text(x_of(*scored_[0]), chart_.y_of(inside(best_[0])));
    std::size_t winner = 0;
    for (std::size_t i = 1; i < best_.size(); ++i) {
      if (best_[i] == best_[i - 1]) continue;
      data += "H" + px(x_of(*scored_[i])) + "V" + px(chart_.y_of(inside(best_[i])));
      winner = i;
    }
    data += "H" + px(chart_.box.right);
    picture.path(
        data,
        "class=\"best\" fill=\"none\" stroke-width=\"2.4\" stroke-linejoin=\"round\"" + attribute("stroke", kBestColor),
        "best so far");
    picture.circle(x_of(*scored_[winner]), chart_.y_of(best_[winner]), 4.5,
                   "class=\"winner\" fill=\"#ffffff\" stroke-width=\"2.2\"" + attribute("stroke", kBestColor),
                   "trial " + std::to_string(scored_[winner]->number) + ": " + scored_[winner]->expression + ", " +
                       short_text(best_[winner], 5));
  }

  void average(SvgPicture& picture) const {
    Series series;
    double last_x = -1;
    for (std::size_t i = 0; i < average_.size(); ++i) {
      const double x = x_of(*scored_[i]);
      if (x - last_x < 0.5 && i + 1 < average_.size()) continue;  // no two in one pixel
      series.x.push_back(static_cast<double>(scored_[i]->finish_order + 1));
      series.y.push_back(average_[i]);
      last_x = x;
    }
    const std::string lines = curve_paths(series, {.x = chart_.x.range, .y = chart_.y.range}, chart_.box).lines;
    picture.path(lines,
                 "class=\"average\" fill=\"none\" stroke-width=\"2\" stroke-linejoin=\"round\"" +
                     attribute("stroke", kAverageColor),
                 "mean of the last " + std::to_string(page_.population));
  }

  double inside(double score) const { return std::clamp(score, chart_.y.range.low, chart_.y.range.high); }

  void baseline(SvgPicture& picture) const {
    if (!page_.baseline_score) return;
    const double y = chart_.y_of(inside(*page_.baseline_score));
    picture.line(chart_.box.left, y, chart_.box.right, y,
                 "class=\"baseline\" fill=\"none\" stroke-width=\"1.4\" stroke-dasharray=\"6 4\"" +
                     attribute("stroke", kBaselineColor));
  }

  // At the right of the frame, where nothing is in their way, and apart from each other.
  void end_labels(SvgPicture& picture) const {
    constexpr double kApart = 32;
    const Box& box = chart_.box;
    double best_y = chart_.y_of(best_.back()), baseline_y = best_y;
    if (page_.baseline_score) {
      baseline_y = chart_.y_of(inside(*page_.baseline_score));
      const double lack = std::max(0.0, kApart - std::abs(best_y - baseline_y)) / 2;
      const double down = best_y <= baseline_y ? lack : -lack;
      best_y -= down;
      baseline_y += down;
      const double shift = std::max(0.0, box.top + 8 - std::min(best_y, baseline_y)) -
                           std::max(0.0, std::max(best_y, baseline_y) - box.bottom + 8);
      end_label(picture, baseline_y + shift, baseline_name(), *page_.baseline_score, kBaselineColor);
      best_y += shift;
    }
    end_label(picture, best_y, "best", best_.back(), kBestColor);
  }

  void end_label(SvgPicture& picture, double y, const std::string& name, double score, std::string_view color) const {
    const std::string fill = attribute("fill", color);
    picture.fitted(chart_.box.right + 8, y - 2, name, {label_room_, 12}, fill);
    picture.text(chart_.box.right + 8, y + 12, typeset(short_text(score, 4)),
                 "font-size=\"12\" font-weight=\"bold\"" + fill);
  }

  const StudyPage& page_;
  PageObjective objective_;
  std::vector<const PageTrial*> finished_, scored_;
  std::vector<double> scores_, best_, average_;
  double width_ = 0, label_room_ = 0;
  std::vector<Key> keys_;
  Chart chart_;
};

}  // namespace

std::string progress_chart(const StudyPage& page, double width) {
  return scored_trials(page).empty() ? "" : ProgressDrawing(page, width).draw();
}

}  // namespace actforge
