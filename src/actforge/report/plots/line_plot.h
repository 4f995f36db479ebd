#pragma once

#include <optional>
#include <string>
#include <vector>

namespace actforge {

// One curve. A point with a NaN or an infinity is a gap; the curve is also broken at poles.
struct Series {
  std::string label = {};
  std::vector<double> x = {};
  std::vector<double> y = {};
};

struct LinePlot {
  std::string title = {};
  std::string x_label = {};
  std::string y_label = {};
  std::vector<Series> series = {};
  // Where a limit is not set, it is chosen so that poles and exponential growth do not flatten everything else.
  std::optional<double> y_min = {};
  std::optional<double> y_max = {};
  bool log_y = false;  // powers of ten apart alike; what is not positive is a gap. Limits are of the numbers themselves
  // In pixels, legend included. The terminal has its own measures.
  int width = 720;
  int height = 440;
};

// A document of its own, with a white background. The same plot gives the same text; ids differ between plots, so that
// several fit into one HTML page. Throws Error if x and y differ in length or a limit or the size makes no sense.
std::string to_svg(const LinePlot& plot);
// As .svg or .png, by the name's ending (save_picture).
void save_plot(const LinePlot& plot, const std::string& path);

}  // namespace actforge
