#pragma once

#include "actforge/expr/fit/piecewise.h"
#include "tools/actforge/common/verb.h"

namespace actforge::tool {

// --knots, --tolerance, --smooth, --sharpness
void add_piecewise_options(CLI::App& verb, PiecewiseOptions& options);
// Throws Error (kUsage) for what makes no sense, before any work is done.
void check_piecewise_options(const PiecewiseOptions& options);

}  // namespace actforge::tool
