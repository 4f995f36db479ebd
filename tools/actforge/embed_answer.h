#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "actforge/expr/expr.h"
#include "actforge/report/map_chart.h"
#include "actforge/surrogate/points.h"

namespace actforge::tool {

struct EmbeddedTrial {
  std::int64_t number = 0;
  std::string expression = {};
  std::optional<double> score = {};  // as people read it
};

// A map of functions as it is told: `functions` and the rows of `places` belong together; the others are by number.
struct EmbedAnswer {
  std::string title = {};  // "aquasurf-3 by outputs"
  std::vector<Expr> functions = {};
  Points places = {};
  std::map<std::size_t, std::string> labels = {};  // of well-known functions
  std::map<std::size_t, EmbeddedTrial> trials = {};
  std::string score_name = {};
  bool less_is_better = false;

  // Leaves out the functions that are not to be kept, before there are places; gives how many.
  std::size_t keep(const std::vector<bool>& kept);
};

// The first two coordinates.
FunctionMapPicture map_picture(const EmbedAnswer& answer);
nlohmann::json points_json(const EmbedAnswer& answer);

bool is_map_table(const std::string& path);
// Throws Error (kUsage) unless the name ends in .svg, .png or .csv.
void check_map_name(const std::string& path);
// As the name ends. The file appears when it is whole.
void write_map(const EmbedAnswer& answer, const std::string& path);

}  // namespace actforge::tool
