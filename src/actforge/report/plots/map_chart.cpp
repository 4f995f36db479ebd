#include "actforge/report/plots/map_chart.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "actforge/report/plots/chart.h"
#include "actforge/report/plots/label_boxes.h"
#include "actforge/report/plots/point_density.h"
#include "actforge/report/svg/color_scale.h"
#include "actforge/report/svg/text.h"

namespace actforge {
namespace {

constexpr double kEdge = 10, kNameSize = 12, kTitleSize = 14;
constexpr std::string_view kFunctionColor = "#9aa2ab", kFailedColor = "#8a4b2a", kKnownColor = "#c2185b";
// Points beyond this number become squares.
constexpr std::size_t kMostDots = 8000;
// From few functions in a square to many.
constexpr std::array<std::string_view, PointDensity::kShades> kShades{"#dadde1", "#c3c8cd", "#aab0b7", "#8f969e",
                                                                      "#737b84"};
constexpr int kColors = 48;

double function_size(std::size_t count) { return count <= 500 ? 4.4 : count <= 3000 ? 3.2 : 2.4; }

class MapDrawing {
 public:
  MapDrawing(const FunctionMapPicture& map, double width) : map_(map), width_(width) {
    for (const MapTrial& trial : map.trials) {
      if (is_scored(trial)) scored_.push_back(&trial);
    }
    set_scale();
    // The best are drawn last, on top of the others.
    std::stable_sort(scored_.begin(), scored_.end(),
                     [&](const MapTrial* a, const MapTrial* b) { return share_of(*a) < share_of(*b); });
    lay_out();
  }

  std::string draw() {
    SvgPicture picture({.width = width_,
                        .height = height_,
                        .title = map_.title.empty() ? "Map of functions" : map_.title,
                        .description = summary()});
    if (!map_.title.empty()) {
      picture.fitted(kEdge, kEdge + kTitleSize, map_.title, {width_ - 2 * kEdge, kTitleSize}, "font-weight=\"bold\"");
    }
    draw_keys(picture, keys_, {box_.left, keys_top_, width_ - kEdge, box_.top});
    picture.rect(box_, "class=\"frame\" fill=\"none\"" + attribute("stroke", kFrameColor));
    functions(picture);
    failed(picture);
    trials(picture);
    known(picture);
    if (!scored_.empty()) color_bar(picture);
    return picture.finish();
  }

 private:
  double trial_size() const {
    const std::size_t count = map_.trials.size();
    return (count <= 150 ? 8.5 : count <= 1000 ? 6.5 : 5) * (width_ > 500 ? 1 : 0.75);
  }

  static double score_of(const MapTrial& trial) {
    return trial.score.value_or(std::numeric_limits<double>::quiet_NaN());
  }
  static bool is_scored(const MapTrial& trial) { return std::isfinite(score_of(trial)); }

  // The ends of the colours: those of the scores, without a few that are far from all others.
  void set_scale() {
    if (scored_.empty()) return;
    std::vector<double> scores;
    scores.reserve(scored_.size());
    for (const MapTrial* trial : scored_) scores.push_back(score_of(*trial));
    const auto [low, high] = std::minmax_element(scores.begin(), scores.end());
    const AxisRange range = range_around(scores);
    scale_ = {std::max(range.low, *low), std::min(range.high, *high)};
    if (!(scale_.length() > 0)) scale_ = range;
  }

  // 0 for the worst, 1 for the best.
  double share_of(double score) const {
    const double share = std::clamp(scale_.fraction(score), 0.0, 1.0);
    return map_.less_is_better ? 1 - share : share;
  }
  double share_of(const MapTrial& trial) const { return share_of(score_of(trial)); }

  void lay_out() {
    keys_ = keys();
    keys_top_ = kEdge + (map_.title.empty() ? 0 : kTitleSize + 8);
    box_.left = kEdge;
    box_.right = width_ - kEdge;
    box_.top = keys_top_ + keys_height(keys_, width_ - 2 * kEdge) + 6;
    x_ = range_of(&MapPoint::x);
    y_ = range_of(&MapPoint::y);
    // One scale for both coordinates, in a frame that is neither very flat nor very high.
    box_.bottom = box_.top + box_.width() * std::clamp(y_.length() / x_.length(), 0.55, 1.0);
    const double unit = std::max(x_.length() / box_.width(), y_.length() / box_.height());
    x_ = widened(x_, unit * box_.width());
    y_ = widened(y_, unit * box_.height());
    height_ = box_.bottom + kEdge + (scored_.empty() ? 0 : 46);
  }

  AxisRange range_of(double MapPoint::*coordinate) const {
    AxisRange range{0, 0};
    bool first = true;
    const auto add = [&](const MapPoint& place) {
      const double value = place.*coordinate;
      range = first ? AxisRange{value, value} : AxisRange{std::min(range.low, value), std::max(range.high, value)};
      first = false;
    };
    for (const MapPoint& place : map_.functions) add(place);
    for (const MapTrial& trial : map_.trials) add(trial.place);
    for (const MapName& name : map_.known) add(name.place);
    const double margin = range.length() > 0 ? 0.04 * range.length() : 1;
    return {range.low - margin, range.high + margin};
  }

  static AxisRange widened(const AxisRange& range, double length) {
    const double more = (length - range.length()) / 2;
    return {range.low - more, range.high + more};
  }

  double x_of(const MapPoint& place) const { return box_.left + x_.fraction(place.x) * box_.width(); }
  double y_of(const MapPoint& place) const { return box_.bottom - y_.fraction(place.y) * box_.height(); }

  std::vector<Key> keys() const {
    std::vector<Key> keys;
    if (!map_.functions.empty()) {
      const bool many = map_.functions.size() > kMostDots;
      keys.push_back({many ? Key::Mark::kBar : Key::Mark::kDot, std::string(many ? kShades[2] : kFunctionColor),
                      map_.trials.empty() ? "function" : "function without a trial"});
    }
    if (!scored_.empty()) keys.push_back({Key::Mark::kDot, scale_color(0.5), "trial, by its score"});
    if (scored_.size() < map_.trials.size())
      keys.push_back({Key::Mark::kRing, std::string(kFailedColor), "trial without a score"});
    if (!map_.known.empty()) keys.push_back({Key::Mark::kTriangle, std::string(kKnownColor), "well-known function"});
    return keys;
  }

  std::string summary() const {
    std::string text = std::to_string(map_.functions.size()) + " functions";
    if (!map_.trials.empty()) text += " and " + std::to_string(map_.trials.size()) + " trials";
    if (!map_.known.empty()) text += "; marked are ";
    for (std::size_t i = 0; i < map_.known.size(); ++i) text += (i == 0 ? "" : ", ") + map_.known[i].name;
    return text;
  }

  void functions(SvgPicture& picture) const {
    if (map_.functions.size() <= kMostDots) {
      Dots dots;
      for (const MapPoint& place : map_.functions) dots.add(x_of(place), y_of(place));
      dots.draw(picture, kFunctionColor, function_size(map_.functions.size()), 0.8);
      return;
    }
    constexpr double kCell = 1.5;
    PointDensity density(box_, kCell);
    for (const MapPoint& place : map_.functions) density.add(x_of(place), y_of(place));
    const std::vector<std::string> shades = density.shades();
    for (std::size_t i = 0; i < shades.size(); ++i) {
      picture.path(shades[i], "class=\"density\" fill=\"none\"" + attribute("stroke-width", px(kCell)) +
                                  attribute("stroke", kShades[i]));
    }
  }

  void failed(SvgPicture& picture) const {
    std::string rings;
    const double radius = trial_size() / 2 - 0.8;
    for (const MapTrial& trial : map_.trials) {
      if (is_scored(trial)) continue;
      rings += "M" + point_text(x_of(trial.place) - radius, y_of(trial.place));
      for (const char* way : {"", "-"}) {
        rings += "a" + point_text(radius, radius) + " 0 0 1 " + way + px(2 * radius) + " 0";
      }
    }
    picture.path(rings, "class=\"failed\" fill=\"#ffffff\" fill-opacity=\"0.6\" stroke-width=\"1.2\"" +
                            attribute("stroke", kFailedColor));
  }

  // Those of nearly one colour in one element, on a dark edge that shows yellow on white.
  void trials(SvgPicture& picture) const {
    const double size = trial_size();
    picture.open_group("class=\"trials\"");
    for (std::size_t i = 0; i < scored_.size();) {
      const int color = color_number(*scored_[i]);
      Dots dots;
      for (; i < scored_.size() && color_number(*scored_[i]) == color; ++i) {
        dots.add(x_of(scored_[i]->place), y_of(scored_[i]->place));
      }
      dots.draw(picture, kInk, size + 1.4);
      dots.draw(picture, scale_color(static_cast<double>(color) / (kColors - 1)), size);
    }
    picture.close_group();
    constexpr std::size_t kMostTips = 200;
    for (std::size_t i = scored_.size() - std::min(scored_.size(), kMostTips); i < scored_.size(); ++i) {
      const MapTrial& trial = *scored_[i];
      picture.circle(
          x_of(trial.place), y_of(trial.place), size / 2 + 1, "fill-opacity=\"0\"",
          "trial " + std::to_string(trial.number) + ": " + trial.expression + ", " + short_text(score_of(trial), 5));
    }
  }

  int color_number(const MapTrial& trial) const {
    return static_cast<int>(std::lround(share_of(trial) * (kColors - 1)));
  }

  bool is_tried(const MapPoint& place) const {
    return std::any_of(map_.trials.begin(), map_.trials.end(),
                       [&](const MapTrial& trial) { return trial.place.x == place.x && trial.place.y == place.y; });
  }

  void known(SvgPicture& picture) const {
    std::vector<MarkLabel> labels;
    std::string marks, frames;  // a frame around a trial leaves the colour of its score to be seen
    for (const MapName& name : map_.known) {
      const double x = x_of(name.place), y = y_of(name.place);
      labels.push_back({x, y, kNameSize * text_width(typeset(name.name)) + 4, kNameSize + 3});
      if (is_tried(name.place)) {
        frames += "M" + point_text(x - 11, y + 6.4) + "h22l-11 -19z";
      } else {
        marks += "M" + point_text(x - 5, y + 3.6) + "h10l-5 -9z";
      }
    }
    const std::vector<LabelBox> places =
        place_labels(labels, {box_.left + 2, box_.top + 2, box_.right - 2, box_.bottom - 2}, trial_boxes());
    std::string lines;
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (!places[i].apart) continue;
      const Box& box = places[i].box;
      lines += "M" + point_text(labels[i].x, labels[i].y) + "L" +
               point_text(std::clamp(labels[i].x, box.left, box.right), std::clamp(labels[i].y, box.top, box.bottom));
    }
    picture.path(lines, "class=\"leaders\" fill=\"none\" stroke-width=\"1\"" + attribute("stroke", kKnownColor));
    picture.path(marks, "class=\"known\" stroke=\"#ffffff\" stroke-width=\"1.2\"" + attribute("fill", kKnownColor));
    picture.path(frames, "class=\"known-tried\" fill=\"none\" stroke-width=\"1.6\"" + attribute("stroke", kKnownColor));
    picture.open_group("class=\"names\" text-anchor=\"middle\"" + attribute("font-size", px(kNameSize)) + " " +
                       std::string(kHalo));
    for (std::size_t i = 0; i < places.size(); ++i) {
      const Box& box = places[i].box;
      picture.text((box.left + box.right) / 2, box.bottom - 4, typeset(map_.known[i].name), "");
    }
    picture.close_group();
  }

  // What names should not hide: of many trials the best.
  std::vector<Box> trial_boxes() const {
    constexpr std::size_t kMost = 500;
    const double radius = trial_size() / 2;
    std::vector<Box> boxes;
    for (std::size_t i = scored_.size() - std::min(scored_.size(), kMost); i < scored_.size(); ++i) {
      const double x = x_of(scored_[i]->place), y = y_of(scored_[i]->place);
      boxes.push_back({x - radius, y - radius, x + radius, y + radius});
    }
    return boxes;
  }

  // From the worst to the best.
  void color_bar(SvgPicture& picture) const {
    const double width = std::min(300.0, box_.width() - 20), top = box_.bottom + 12;
    const double left = box_.left + 10, step = width / kColors;
    picture.open_group("class=\"scale\"");
    for (int i = 0; i < kColors; ++i) {
      // Half a pixel into the next, so that no paper shows between them.
      picture.rect({left + i * step, top, left + (i + 1) * step + (i + 1 < kColors ? 0.5 : 0), top + 10},
                   "stroke=\"none\"" + attribute("fill", scale_color(static_cast<double>(i) / (kColors - 1))));
    }
    picture.close_group();
    picture.open_group("class=\"scale-ticks\" text-anchor=\"middle\"" + attribute("font-size", px(kTickSize)) +
                       attribute("fill", kSoftInk));
    for (const Tick& tick : ticks_for_width(scale_, width)) {
      const double x = left + share_of(tick.value) * width;
      picture.line(x, top + 10, x, top + 14, attribute("stroke", kAxisColor));
      picture.text(x, top + 16 + kTickSize, typeset(tick.label), "");
    }
    picture.close_group();
    const std::string name = map_.score_name + (map_.less_is_better ? " (less is better)" : "");
    const double beside = box_.right - left - width - 14;
    if (beside > 12 * text_width(name)) {
      picture.text(left + width + 14, top + 9, name, attribute("font-size", "12"));
    } else {
      picture.fitted(box_.right, top + 16 + kTickSize + 12, name, {box_.width(), 12}, "text-anchor=\"end\"");
    }
  }

  const FunctionMapPicture& map_;
  double width_;
  double height_ = 0, keys_top_ = 0;
  std::vector<const MapTrial*> scored_;
  AxisRange scale_ = {};
  AxisRange x_ = {}, y_ = {};
  Box box_ = {};
  std::vector<Key> keys_;
};

}  // namespace

std::string map_chart(const FunctionMapPicture& map, double width) {
  if (map.functions.empty() && map.trials.empty() && map.known.empty()) return {};
  return MapDrawing(map, width).draw();
}

}  // namespace actforge
