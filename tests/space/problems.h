#pragma once

#include "actforge/space/builtin_spaces.h"
#include "actforge/space/space.h"

namespace actforge {

inline Space builtin(std::string_view name) { return Space(*find_builtin_space(name)); }

}  // namespace actforge
