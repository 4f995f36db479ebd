#pragma once

#include <vector>

#include "actforge/report/axis.h"
#include "actforge/report/line_plot.h"

namespace actforge {

// The part of the plane that a plot shows.
struct PlotFrame {
  AxisRange x;
  AxisRange y;
  bool empty = false;   // no point of any series is finite
  bool beyond = false;  // some finite points are above or below the frame
};

PlotFrame frame_of(const LinePlot& plot);

bool has_points(const Series& series);

}  // namespace actforge
