#include "actforge/init/activation_moments.h"

#include <cmath>

#include "actforge/expr/moments.h"

namespace actforge {

double ActivationMoments::power() const {
  const double result = square.slope() / square.mean();
  return std::isfinite(result) ? result : 1;
}

double ActivationMoments::bend(double spread) const {
  const double result = 1 + square.bend() / square.mean() * spread / 2;
  return std::isfinite(result) && result > 0 ? result : 1;
}

double ActivationMoments::mean_bend(double spread) const { return value.bend() * spread / 2; }

ActivationMoments activation_moments(const Expr& function, const SignalMoments& input, bool centred) {
  const Reference reference(function);
  // Far more exact than the assumption that x is normal.
  const Moments moments = gaussian_moments(
      reference, {.mean = input.mean, .variance = input.variance, .tolerance = 1e-7, .derivative = false});
  ActivationMoments result;
  if (!std::isfinite(moments.mean) || !std::isfinite(moments.variance)) {
    result.problem = moments.problems.empty() ? "the function has no finite moments" : moments.problems[0];
    return result;
  }
  result.output = {moments.mean, moments.variance};
  const double shift = centred ? -moments.mean : 0, deviation = std::sqrt(input.variance);
  std::vector<double> values, squares;
  for (const double z : hermite_points()) {
    const double value = reference.value(input.mean + deviation * z) + shift;
    // At a pole, which has no area.
    values.push_back(std::isfinite(value) ? value : 0);
    squares.push_back(values.back() * values.back());
  }
  result.value = hermite_series(values);
  result.square = hermite_series(squares);
  return result;
}

}  // namespace actforge
