#pragma once

#include <string>
#include <vector>

#include "actforge/expr/language/expr.h"

namespace actforge::tool {

// "swish(x), max(x,0)" from the command line: functions with commas between them, those inside of parentheses apart.
// An error shows where it is.
std::vector<Expr> read_function_list(const std::string& text);

}  // namespace actforge::tool
