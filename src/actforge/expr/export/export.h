#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "actforge/expr/kernels/kernel_speed.h"
#include "actforge/expr/language/expr.h"

namespace actforge {

struct ExportOptions {
  std::string name = "activation";  // of the class, function or namespace: an identifier in Python and in C++
  std::optional<Scope> scope = {};  // replaces the scope of every parameter
  // ONNX only, whose files have no code to make parameters of the right shape: that of their initializers. {64,1,1} is
  // one value per channel for images of 64 channels.
  std::vector<std::int64_t> parameter_shape = {1};
  // ONNX only: the number of dimensions of x, else one more than the parameters have. 0 leaves it open; onnxruntime
  // takes that, but the ONNX checker does not.
  std::optional<int> onnx_rank = {};
  bool onnx_local_function = true;  // false: the nodes are in the graph itself
  // For the head of the file; measure_cost() gives it. Without it a function is the same bytes on every machine.
  std::optional<FunctionCost> cost = {};
};

// One language an expression can be written in. A file holds the function with its parameters at their initial values.
struct ExportTarget {
  std::string_view name;
  std::string_view title;           // as people write it: PyTorch
  std::string_view file_extension;  // with its dot
  std::string_view summary;
  std::string (*write)(const Expr&, const ExportOptions&);
  std::string_view Spelling::*spelling;  // how it writes an operator
  bool binary = false;
};

// A row is a function `<name>_target()` in a file of its own, named in the table in export.cpp.
std::span<const ExportTarget> export_targets();
// Throws Error with the nearest name.
const ExportTarget& find_export_target(std::string_view name);

// Throws Error for an unknown target and for a name that is no identifier.
std::string export_expr(const Expr& expr, std::string_view target, const ExportOptions& options = {});

}  // namespace actforge
