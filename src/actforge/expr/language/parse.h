#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "actforge/expr/language/expr.h"

namespace actforge {

inline constexpr std::size_t kMaxTextLength = 1 << 20;

// Reads call form (`max(relu(x),cosh(elu(x)))`), infix (`relu(x) + 0.5*x^2`), or any mixture.
//   alpha(e), alpha*e      a learnable factor on the edge from e; a bare `alpha` stands for alpha(1)
//   alpha[0.25,neuron](e)  with an initial value and a scope (layer, channel, neuron) other than 1 and channel
// Throws Error with the position (a byte offset) and, for a misspelt name, the nearest known one.
Expr parse(std::string_view text);

// "swish(x), max(x,0)" in two: at the commas outside of parentheses. At least one part, which may be empty.
std::vector<std::string> split_functions(std::string_view text);

}  // namespace actforge
