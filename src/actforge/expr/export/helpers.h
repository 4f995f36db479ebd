#pragma once

#include <span>
#include <string>
#include <string_view>

namespace actforge {

// A function that the spellings of the operator table call and the target language lacks.
struct Helper {
  std::string_view name;
  std::string source;
};

// Those that the text calls, and those that they call, in the order of the list: callees come before their callers.
std::string called_helpers(std::string_view text, std::span<const Helper> helpers);

}  // namespace actforge
