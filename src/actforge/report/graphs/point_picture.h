#pragma once

#include <string>
#include <vector>

#include "actforge/report/plots/line_plot.h"

namespace actforge {

// A map of functions as dots, some of them with names; places of it, numbered; and what function is at each place.
struct PointPicture {
  struct Spot {
    double x = 0, y = 0;
    std::string name = {};
  };
  struct Made {
    double x = 0, y = 0;  // the place
    Series wanted = {};   // the curve that the place stands for
    Series function = {};
  };

  std::string title = {};
  std::vector<double> x = {}, y = {};  // of the dots
  std::vector<Spot> known = {};
  std::vector<Made> made = {};
  std::size_t columns = 5;  // of the small plots
  // Whether all small plots have the same axes, so that one can be compared with the next: of functions that are alike.
  bool same_axes = false;
};

std::string to_svg(const PointPicture& picture);

}  // namespace actforge
