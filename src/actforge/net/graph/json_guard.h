#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string_view>

namespace actforge {

// Limits for untrusted JSON; what exceeds them is refused before it becomes a tree in memory.
struct JsonLimits {
  std::size_t values = 0;  // objects, lists, texts, numbers
  std::size_t depth = 16;  // lists and objects within each other
  std::size_t keys = 100;  // of one object: they are searched one by one
};

// The parsed text, keys in their order. A key that appears twice in an object is refused. Throws Error (kBadInput).
nlohmann::ordered_json parse_guarded_json(std::string_view text, const JsonLimits& limits);

}  // namespace actforge
