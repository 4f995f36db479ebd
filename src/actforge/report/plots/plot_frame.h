#pragma once

#include <vector>

#include "actforge/report/plots/line_plot.h"
#include "actforge/report/svg/axis.h"

namespace actforge {

// The part of the plane that a plot shows.
struct PlotFrame {
  AxisRange x;
  AxisRange y;
  bool empty = false;   // no point of any series is finite
  bool beyond = false;  // some finite points are above or below the frame
};

PlotFrame frame_of(const LinePlot& plot);

// The plot whose y are the decimal logarithms, if it asks for that; and the round values of its y axis.
LinePlot drawn_plot(const LinePlot& plot);
std::vector<Tick> y_ticks(const LinePlot& plot, const AxisRange& range, int wanted);

bool has_points(const Series& series);

}  // namespace actforge
