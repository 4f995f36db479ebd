#pragma once

#include <span>

#include "actforge/expr/export/helpers.h"

namespace actforge {

// The functions that C++ spellings call, in the order in which a header must define them.
std::span<const Helper> cpp_helpers();

}  // namespace actforge
