#pragma once

#include <optional>
#include <string>
#include <vector>

#include "actforge/study/reverse_map.h"
#include "tools/actforge/common/verb.h"

namespace actforge::tool {

// What `actforge reverse` found: functions for places.
struct ReverseAnswer {
  std::string space = {};
  std::string inputs = {};  // in words: where functions were looked at
  ReverseMap map = {};
  std::vector<MadeFunction> made = {};
  std::size_t columns = 5;  // of the picture's small plots
  bool on_the_way = false;  // whether the places lead from one function to another
  EmptyPlaces empty = {};   // where these were asked for
};

void print_answer(const ReverseAnswer& answer);
nlohmann::json answer_json(const ReverseAnswer& answer);
// As the name ends: .svg or .png.
void draw_answer(const ReverseAnswer& answer, const std::string& path);

}  // namespace actforge::tool
