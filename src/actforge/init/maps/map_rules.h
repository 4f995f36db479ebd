#pragma once

#include <map>
#include <string>
#include <string_view>

#include "actforge/init/maps/moment_map.h"

namespace actforge {

// Maps that a user wrote, in TOML, a table for each type of layer:
//   [MyScale]
//   mean = "2*m"
//   variance = "4*v"
// In them m and v are the mean and the variance of the input, or m1, v1, m2, v2, ... of several; there are + - * / ^,
// brackets, numbers, sqrt exp log abs min max. Throws Error (kBadInput) that names the table and the place.
std::map<std::string, MomentMap, std::less<>> parse_map_rules(std::string_view toml);
std::map<std::string, MomentMap, std::less<>> read_map_rules(const std::string& path);

}  // namespace actforge
