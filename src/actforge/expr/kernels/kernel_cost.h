#pragma once

#include "actforge/expr/language/expr.h"

namespace actforge {

// About how many times as long as ReLU's the kernel of a function takes, forward and backward. From a table, not from a
// clock: it is the same number on every machine and every time, so that what depends on it can be repeated. See
// measure_speed() for this machine's own times.
double relative_cost(const Expr& expr);

}  // namespace actforge
