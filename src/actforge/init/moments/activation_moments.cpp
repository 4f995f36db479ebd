#include "actforge/init/moments/activation_moments.h"

#include <cmath>

#include "actforge/expr/moments/moments.h"

namespace actforge {

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
  const auto value = [&](double z) {
    const double y = reference.value(input.mean + deviation * z) + shift;
    return std::isfinite(y) ? y : 0;  // at a pole, which has no area
  };
  std::vector<double> values, squares, outer;
  for (const double z : hermite_points()) {
    values.push_back(value(z));
    squares.push_back(values.back() * values.back());
  }
  for (const double z : SizeResponse::outer_points()) outer.push_back(value(z));
  result.value = hermite_series(values);
  result.square = hermite_series(squares);
  result.sizes = SizeResponse(values, outer);
  return result;
}

}  // namespace actforge
