#pragma once

#include <string>

#include "actforge/report/plots/line_plot.h"

namespace actforge {

struct TerminalStyle {
  int columns = 80;     // no line is wider; at least 30
  int rows = 20;        // of the plot itself, at least 4; titles, the x axis and the legend come in addition
  bool unicode = true;  // curves of Braille dots; false: plain ASCII
  bool color = false;   // ANSI colours; without them, letters on the curves tell these apart
};

// The plot as lines of text, each with a line break at its end and no blanks before that.
std::string to_terminal(const LinePlot& plot, const TerminalStyle& style = {});

}  // namespace actforge
