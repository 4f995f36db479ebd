#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace actforge {

// "a, b" or "a,b"; no empty ones.
std::vector<std::string> split_list(std::string_view text);

}  // namespace actforge
