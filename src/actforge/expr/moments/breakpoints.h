#pragma once

#include <span>
#include <vector>

#include "actforge/expr/language/reference.h"

namespace actforge {

// Where a function may not be smooth, or changes fast: the points at which an operator inside it meets one of its
// breaks (relu at 0, a divisor at 0, two sides of a maximum that cross), and those between which a curved operator does
// its bending (sigmoid from -35 to 35), so that a narrow bump is not overlooked. Found by scanning every
// subexpression over the sorted `grid` and closing in on each change of sign; a function that touches zero without
// crossing it is followed to its minimum. May contain points where nothing happens, which is harmless; two breaks
// between neighbours of the grid may be missed.
std::vector<double> find_breakpoints(const Reference& function, std::span<const double> grid);

}  // namespace actforge
