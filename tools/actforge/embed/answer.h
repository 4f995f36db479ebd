#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "actforge/study/mapped_functions.h"

namespace actforge::tool {

nlohmann::json points_json(const MappedFunctions& answer);

bool is_map_table(const std::string& path);
// Throws Error (kUsage) unless the name ends in .svg, .png or .csv.
void check_map_name(const std::string& path);
// As the name ends. The file appears when it is whole.
void write_map(const MappedFunctions& answer, const std::string& path);

}  // namespace actforge::tool
