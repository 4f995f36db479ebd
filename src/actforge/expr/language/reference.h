#pragma once

#include <span>
#include <vector>

#include "actforge/expr/language/expr.h"

namespace actforge {

struct ValueAndSlope {
  double value;
  double slope;
};

// Evaluates an expression in double precision exactly as it is written, node by node: the oracle of the float32 kernels
// and of the canonical form, and what moments and properties are computed with. Parameters start at their initial
// values.
class Reference {
 public:
  explicit Reference(Expr expr);

  double value(double x) const { return at(x).value; }
  ValueAndSlope at(double x) const;
  // The value, and the derivative with respect to the parameter in the given place of parameters().
  ValueAndSlope at(double x, std::size_t parameter) const;

  const Expr& expr() const { return expr_; }
  // The expression's own parameters, then those of its named functions: the order of Graph::parameters().
  std::span<const Parameter> parameters() const { return parameters_; }
  std::span<const double> parameter_values() const { return values_; }
  void set_parameter(std::size_t place, double value);

 private:
  Expr expr_;
  std::vector<Parameter> parameters_;
  std::vector<double> values_;
};

}  // namespace actforge
