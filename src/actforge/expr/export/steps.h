#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "actforge/expr/export/export.h"

namespace actforge {

struct Operand {
  enum class Kind : std::uint8_t { kInput, kConstant, kParameter, kStep };
  Kind kind = Kind::kInput;
  std::size_t index = 0;  // of the parameter or the step
  double constant = 0;

  bool is_constant() const { return kind == Kind::kConstant; }
};

// One unary or binary operation, on x, numbers, parameters and earlier steps.
struct ExportStep {
  Op op;
  Operand a;
  std::optional<Operand> b = {};

  bool is_extremum() const { return op == Op::kMax || op == Op::kMin; }
};

// The canonical graph as the straight-line program that all exporters write down: as long as the graph has nodes,
// however large the tree. A parameter's factor is an ordinary product, n-ary operators are chains of binary ones, and
// at most one operand of a step is a constant: for max and min the second.
struct StepProgram {
  std::vector<Parameter> parameters;
  std::vector<ExportStep> steps;
  Operand result;
  bool uses_input = false;  // whether the result depends on x

  bool uses(Operand::Kind kind, std::size_t index = 0) const;
};

StepProgram export_steps(const Expr& expr, const ExportOptions& options);

// x, a parameter's name, or v1, v2, ...; a constant as `number` writes it.
std::string operand_text(const StepProgram& program, const Operand& operand, std::string (*number)(double));

}  // namespace actforge
