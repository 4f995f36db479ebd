#pragma once

#include <string>
#include <vector>

#include "actforge/report/plots/line_plot.h"

namespace actforge {

struct LegendEntry {
  std::string text = {};     // cut to fit
  std::string tooltip = {};  // the whole text where it was cut
  std::size_t series = 0;
  bool has_line = true;  // false for "and 12 more"
  double x = 0;          // left end and middle of the line, from the upper left corner of the legend
  double y = 0;
};

// The names of the curves, laid out beside the frame if they are short and few, else below it.
struct Legend {
  static constexpr double kFontSize = 12;
  static constexpr double kLine = 24;  // length of the sample of the line
  static constexpr double kGap = 7;    // between that sample and the name

  std::vector<LegendEntry> entries;
  bool at_right = false;
  double width = 0;
  double height = 0;
};

Legend lay_out_legend(const LinePlot& plot, double room_right, double room_below);

// What the legend says of a curve: its label, and whether there is nothing to see of it.
std::string legend_text(const Series& series);

}  // namespace actforge
