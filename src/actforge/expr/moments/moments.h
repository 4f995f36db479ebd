#pragma once

#include <string>
#include <vector>

#include "actforge/expr/language/reference.h"

namespace actforge {

struct MomentOptions {
  double mean = 0;           // of the normal distribution of x
  double variance = 1;       // 0 is a point mass
  double tolerance = 1e-11;  // relative; lower costs time
  bool derivative = true;    // without its moments it is faster; they are then NaN
};

// Moments of f(x) and f'(x) for normal x. A quantity that does not exist is NaN, and `problems` says why.
struct Moments {
  double mean = 0;
  double variance = 0;
  double second_moment = 0;
  double derivative_mean = 0;
  double derivative_variance = 0;
  double derivative_second_moment = 0;
  double error = 0;  // estimate of the largest absolute error among those that exist
  std::vector<std::string> problems;
  std::size_t evaluations = 0;

  bool integrable() const { return problems.empty(); }
};

// AutoInit needs E f and Var f (section "Mean and Variance Estimation", paragraph "Activation Functions"). Adaptive
// Gauss-Kronrod quadrature between the breakpoints of f; the derivative is the one almost everywhere, so a jump of f
// itself does not count in it.
Moments gaussian_moments(const Reference& function, const MomentOptions& options = {});

}  // namespace actforge
