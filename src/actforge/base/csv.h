#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace actforge {

// Comma-separated values as in RFC 4180: fields may be quoted, with "" for a quote inside. One vector per
// row; empty lines are left out. Throws Error (kBadInput) with the line of a quote that is not closed.
std::vector<std::vector<std::string>> parse_csv(std::string_view text);

// One field, in quotes where it needs them.
std::string csv_field(std::string_view text);

}  // namespace actforge
