#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "actforge/base/run_context.h"
#include "actforge/expr/language/expr.h"
#include "actforge/surrogate/points.h"

namespace actforge {

enum class Comparable : std::uint8_t {
  kYes,
  kNotFinite,  // some output is infinite or undefined
  kTwin,       // it equals an earlier function but for rounding
};

// Of each function, whether it can be told from the earlier ones by its outputs, one row each (output_features.h). A
// space of graphs has dozens of the twins; each would be a trial for nothing, and a function with more of them than
// neighbours count would see nobody else on a map. Outputs are those at the initial values of learnable parameters,
// which may make a difference later: where functions have them, these are compared too (nearly_equal()). Functions
// before `begin` are known, and not looked at: theirs is kYes.
std::vector<Comparable> comparable_functions(std::span<const Expr> functions, const Points& outputs,
                                             const RunContext& run, std::size_t begin = 0);

}  // namespace actforge
