#pragma once

#include <vector>

#include "actforge/report/svg/svg.h"

namespace actforge {

// A mark that has a name, and the room that the name takes.
struct MarkLabel {
  double x = 0, y = 0;  // of the mark
  double width = 0, height = 0;
};

struct LabelBox {
  Box box = {};
  bool apart = false;  // so far from its mark that a line should lead there
};

// Room for every name within the frame, near its mark, where names cover neither each other nor marks as long as there
// is such room. One after another, each at the nearest place that is left: the first ones have the best places. Names
// would rather go a little further than cover any of `others`.
std::vector<LabelBox> place_labels(const std::vector<MarkLabel>& labels, const Box& frame,
                                   const std::vector<Box>& others = {});

}  // namespace actforge
