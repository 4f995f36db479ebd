#pragma once

#include <vector>

#include "actforge/expr/ops/op.h"

namespace actforge {

// The rows of the operator table, one file per family; op_table.cpp joins them.
std::vector<OpInfo> pangaea_unary_rows();
std::vector<OpInfo> cafe_unary_rows();
std::vector<OpInfo> named_function_rows();
std::vector<OpInfo> binary_rows();
std::vector<OpInfo> variadic_rows();

}  // namespace actforge
