#pragma once

#include "actforge/expr/ops/op.h"

namespace actforge {

// The value of an operator at constants, as canonical forms have it: the same on every machine, since their hashes are
// stored (see wide.h). It is the row's own value but for the last bits.
double constant_value(const OpInfo& row, double a);
double constant_value(const OpInfo& row, double a, double b);

}  // namespace actforge
