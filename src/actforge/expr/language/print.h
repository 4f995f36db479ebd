#pragma once

#include <string>

#include "actforge/base/number_text.h"
#include "actforge/expr/language/expr.h"

namespace actforge {

// parse() reads the first two back to an equal expression.
std::string to_call(const Expr& expr);
std::string to_infix(const Expr& expr);
std::string to_latex(const Expr& expr);

// alpha, or alpha[0.25,neuron] where it differs from PANGAEA's default.
std::string parameter_text(const Parameter& parameter);

}  // namespace actforge
