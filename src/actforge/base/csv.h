#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace actforge {

// Comma-separated values as RFC 4180 has them: fields may stand in quotes, "" is a quote within them. One vector per
// row; empty lines are left out. Throws Error (kBadInput) with the line where quotes do not close.
std::vector<std::vector<std::string>> parse_csv(std::string_view text);

// One field, in quotes where it needs them.
std::string csv_field(std::string_view text);

}  // namespace actforge
