#pragma once

#include <string>

#include "actforge/expr/export.h"

namespace actforge {

// The rows of export_targets(), one file each.
std::string write_pytorch(const Expr& expr, const ExportOptions& options);
std::string write_keras(const Expr& expr, const ExportOptions& options);
std::string write_jax(const Expr& expr, const ExportOptions& options);
std::string write_onnx(const Expr& expr, const ExportOptions& options);
std::string write_cpp(const Expr& expr, const ExportOptions& options);
std::string write_latex(const Expr& expr, const ExportOptions& options);

}  // namespace actforge
