#pragma once

#include "actforge/expr/fit/hinges.h"
#include "actforge/expr/fit/linear_pieces.h"

namespace actforge {

// Straight pieces as hinges with rounded numbers. The bends must be rounded already. Going outwards, every slope is
// chosen to reach the next bend's value from where the rounded slopes before it have led, so that what one rounding did
// the next one compensates, and errors do not accumulate.
HingeForm hinges_of(const LinearPieces& pieces);

// Of the bends below 0, which belong to the left side. A bend at 0 is the right side's.
std::size_t bends_left_of_zero(const LinearPieces& pieces);

// Makes a side stop growing, where its terms have different signs: `slope` is what the function grows by, per unit,
// away from 0 before the first hinge.
void end_side(HingeSide& side, double slope, double end, double tail);

}  // namespace actforge
