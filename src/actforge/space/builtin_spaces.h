#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "actforge/space/space.h"

namespace actforge {

struct BuiltinSpace {
  std::string_view name;
  std::string_view summary;
  SpaceDefinition (*define)();
};

// The spaces of the dissertation.
std::span<const BuiltinSpace> builtin_spaces();

// S_d of CAFE, for d from 1 to kDeepestCafe.
SpaceDefinition cafe_space(int depth);
inline constexpr int kDeepestCafe = 10;  // a deeper tree is larger than an expression may be

// A space of the table, or cafe-sD for any depth; nothing when there is none of that name.
std::optional<SpaceDefinition> find_builtin_space(std::string_view name);

}  // namespace actforge
