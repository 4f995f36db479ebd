#pragma once

#include <string>
#include <vector>

#include "actforge/report/plots/plot_frame.h"
#include "actforge/report/svg/axis.h"
#include "actforge/report/svg/svg.h"

namespace actforge {

inline constexpr double kTickSize = 11.5;  // sizes of fonts
inline constexpr double kLabelSize = 13;

// One axis of a chart: what it is of, its ends, and the values that are written beside it.
struct ChartAxis {
  std::string label = {};
  AxisRange range = {};
  std::vector<Tick> ticks = {};
};

// A frame with axes, for points and lines.
struct Chart {
  Box box = {};
  ChartAxis x = {}, y = {};

  double x_of(double value) const { return box.left + x.range.fraction(value) * box.width(); }
  double y_of(double value) const { return box.bottom - y.range.fraction(value) * box.height(); }
};

// Room that labels need beside and below the frame.
double y_labels_width(const ChartAxis& axis);
double x_labels_height(const ChartAxis& axis);

double widest_label(const std::vector<Tick>& ticks);
// The most ticks whose labels, the widest of them included, stay well apart.
std::vector<Tick> ticks_for_width(const AxisRange& range, double width);
std::vector<Tick> ticks_for_height(const AxisRange& range, double height);
// Ticks for whole things: no half trials.
std::vector<Tick> whole_ticks(std::vector<Tick> ticks);

// The ends of an axis on which points are to be seen, with some room on both sides, however equal they are. A few
// points far from all others stay outside, where they would flatten the rest; what must be seen is added with
// `with_value`.
AxisRange range_around(std::vector<double> values);
AxisRange with_value(const AxisRange& range, double value);

// Grid, zero lines where `with_zero`, frame, numbers and labels of the axes: what lies behind the data.
void draw_axes(SvgPicture& picture, const Chart& chart, bool with_zero = false);

// What is to be seen of a curve, as path data: lines, and dots for points that stand alone.
struct CurvePaths {
  std::string lines, dots;
};
// Traced for `overlap` pixels beyond the frame, where callers clip it, so that no cut end of a thick line is visible.
CurvePaths curve_paths(const Series& series, const PlotFrame& view, const Box& box, double overlap = 0);

// A row of samples with their names, wrapped to the width of the picture.
struct Key {
  enum class Mark { kDot, kRing, kLine, kDashes, kTick, kTriangle, kBar };
  Mark mark = Mark::kDot;
  std::string color = {};
  std::string text = {};
};
double keys_height(const std::vector<Key>& keys, double width);
void draw_keys(SvgPicture& picture, const std::vector<Key>& keys, const Box& room);

// Dots of one colour, all in one element.
class Dots {
 public:
  void add(double x, double y);
  void draw(SvgPicture& picture, std::string_view color, double diameter, double opacity = 1) const;

 private:
  std::string data_;
  std::string last_;
};

// Points get smaller the more there are.
double dot_size(std::size_t count);

}  // namespace actforge
