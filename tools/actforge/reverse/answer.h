#pragma once

#include <optional>
#include <string>
#include <vector>

#include "actforge/study/reverse_map.h"
#include "tools/actforge/common/verb.h"

namespace actforge::tool {

// What `actforge reverse` found, and words about it.
struct FoundFunctions {
  ReverseAnswer answer = {};
  std::string space = {};
  std::string inputs = {};  // where functions were looked at
  std::size_t columns = 5;  // of the picture's small plots
  bool on_the_way = false;  // whether the places lead from one function to another
};

void print_answer(const FoundFunctions& found);
nlohmann::json answer_json(const FoundFunctions& found);
// As the name ends: .svg or .png.
void draw_answer(const FoundFunctions& found, const std::string& path);

}  // namespace actforge::tool
