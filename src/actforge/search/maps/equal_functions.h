#pragma once

#include "actforge/expr/language/expr.h"

namespace actforge {

// Whether two functions have the same values but for rounding, at every x and for all values of their parameters, which
// are matched in their order. Wider than a study's own test, whose fingerprints tell elu(x) from what float32 makes of
// the same formula written otherwise. Judged from samples: [-5, 5] densely, parameters at several values.
bool nearly_equal(const Expr& a, const Expr& b);

}  // namespace actforge
