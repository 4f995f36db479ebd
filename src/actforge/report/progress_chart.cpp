#include <algorithm>
#include <cmath>

#include "actforge/report/chart.h"
#include "actforge/report/study_charts.h"
#include "actforge/report/study_curves.h"
#include "actforge/report/text.h"

namespace actforge {
namespace {

constexpr double kEdge = 10;
constexpr std::string_view kTrialColor = "#56b4e9", kBestColor = "#0072b2", kAverageColor = "#e69f00",
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
    points(picture);
    failures(picture);
    average(picture);
    best(picture);
    baseline_label(picture);
    return picture.finish();
  }

 private:
  void lay_out(double width) {
    width_ = width;
    keys_ = keys();
    const double left_guess = 70;
    const double top = kEdge + keys_height(keys_, width - kEdge - left_guess) + 8;
    chart_.box = {.left = 0, .top = top, .right = width - kEdge - 4, .bottom = top + (width > 500 ? 300 : 230)};
    AxisRange range = with_value(range_around(scores_), best_.back());
    if (page_.baseline_score && std::isfinite(*page_.baseline_score)) range = with_value(range, *page_.baseline_score);
    chart_.y = {.label = objective_.name + (objective_.less_is_better ? " (less is better)" : ""), .range = range};
    chart_.y.ticks = ticks_for_height(range, chart_.box.height());
    chart_.box.left = kEdge + y_labels_width(chart_.y);
    const auto last = static_cast<double>(finished_.back()->finish_order + 1);
    chart_.x = {.label = "finished trials", .range = {0, std::max(last * 1.01, last + 0.5)}};
    chart_.x.ticks = whole_ticks(ticks_for_width(chart_.x.range, chart_.box.width()));
  }

  std::vector<Key> keys() const {
    std::vector<Key> keys{{Key::Mark::kDot, std::string(kTrialColor), "trial"},
                          {Key::Mark::kLine, std::string(kBestColor), "best so far"}};
    if (!average_.empty())
      keys.push_back(
          {Key::Mark::kLine, std::string(kAverageColor), "mean of the last " + std::to_string(page_.population)});
    if (page_.baseline_score) keys.push_back({Key::Mark::kDashes, std::string(kBaselineColor), baseline_name()});
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
    std::string beyond;  // small arrows at the edge towards which they lie
    for (const PageTrial* trial : scored_) {
      const double score = trial->scores[0], x = x_of(*trial);
      if (chart_.y.range.contains(score)) {
        dots.add(x, chart_.y_of(score));
      } else if (score > chart_.y.range.high) {
        beyond += "M" + point_text(x - 3, chart_.box.top + 7) + "h6l-3 -6z";
      } else {
        beyond += "M" + point_text(x - 3, chart_.box.bottom - 7) + "h6l-3 6z";
      }
    }
    dots.draw(picture, kTrialColor, dot_size(scored_.size()), 0.8);
    picture.path(beyond, "class=\"beyond\"" + attribute("fill", kTrialColor), "beyond the frame");
  }

  void failures(SvgPicture& picture) const {
    std::string ticks;
    for (const PageTrial* trial : finished_) {
      if (!has_score(*trial)) ticks += "M" + point_text(x_of(*trial), chart_.box.bottom) + "v-8";
    }
    picture.path(ticks, "class=\"failed\" fill=\"none\" stroke-width=\"1.4\"" + attribute("stroke", kFailedColor),
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
    std::string data;
    double last_x = -1;
    for (std::size_t i = 0; i < average_.size(); ++i) {
      const double x = x_of(*scored_[i]);
      if (x - last_x < 0.5 && i + 1 < average_.size()) continue;  // no two in one pixel
      data += (data.empty() ? "M" : "L") + point_text(x, chart_.y_of(inside(average_[i])));
      last_x = x;
    }
    picture.path(data,
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

  // Below the line, where the best-so-far line, which is above it in most studies, does not run through it.
  void baseline_label(SvgPicture& picture) const {
    if (!page_.baseline_score) return;
    const double y = chart_.y_of(inside(*page_.baseline_score));
    const bool best_above = chart_.y_of(inside(best_.back())) <= y;
    const double room_below = chart_.box.bottom - y;
    const double text_y = best_above && room_below > 30 ? y + 15 : y - 6;
    picture.fitted(chart_.box.right - 6, text_y, baseline_name() + "  " + typeset(short_text(*page_.baseline_score, 4)),
                   {0.6 * chart_.box.width(), 12}, "text-anchor=\"end\" " + std::string(kHalo));
  }

  const StudyPage& page_;
  PageObjective objective_;
  std::vector<const PageTrial*> finished_, scored_;
  std::vector<double> scores_, best_, average_;
  double width_ = 0;
  std::vector<Key> keys_;
  Chart chart_;
};

}  // namespace

std::string progress_chart(const StudyPage& page, double width) {
  return scored_trials(page).empty() ? "" : ProgressDrawing(page, width).draw();
}

}  // namespace actforge
