#pragma once

#include <vector>

#include "actforge/report/plots/plot_frame.h"

namespace actforge {

// A point of the frame: (0, 0) is its lower left corner, (1, 1) its upper right one.
struct FramePoint {
  double u = 0;
  double v = 0;
};

using Polyline = std::vector<FramePoint>;

// How far beyond the frame curves are still traced, in units of the frame, so that a cut end of a thick line is hidden.
struct FrameMargin {
  double u = 0;
  double v = 0;
};

// What is to be seen of a curve: pieces between gaps, poles and exits from the frame. A piece of one point is a dot.
std::vector<Polyline> visible_pieces(const Series& series, const PlotFrame& frame, FrameMargin margin = {});

}  // namespace actforge
