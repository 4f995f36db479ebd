#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace actforge {

// A map of functions: points whose two coordinates mean nothing by themselves; similar functions are close together.
// Plain data, as in study_page.h; text is untrusted.

struct MapPoint {
  double x = 0, y = 0;
};

// A function that was evaluated.
struct MapTrial {
  MapPoint place = {};
  std::int64_t number = 0;
  std::string expression = {};
  std::optional<double> score = {};  // as people read it
};

// A well-known function.
struct MapName {
  MapPoint place = {};
  std::string name = {};
};

struct FunctionMapPicture {
  std::string title = {};                // above the picture; empty: none
  std::vector<MapPoint> functions = {};  // all others
  std::vector<MapTrial> trials = {};
  std::vector<MapName> known = {};
  std::string score_name = {};
  bool less_is_better = false;
};

// An SVG document, as in study_charts.h. However many functions there are, it has some hundred kilobytes. Empty where
// there is nothing to draw.
std::string map_chart(const FunctionMapPicture& map, double width = 720);

}  // namespace actforge
