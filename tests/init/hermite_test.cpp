// Hermite series against closed forms, and against the quadrature that AutoInit's means and variances come from.
#include <gtest/gtest.h>

#include <cmath>

#include "actforge/expr/moments.h"
#include "actforge/expr/parse.h"
#include "actforge/init/activation_moments.h"

namespace actforge {
namespace {

template <class Function>
HermiteSeries series_of(const Function& function) {
  std::vector<double> values;
  for (const double z : hermite_points()) values.push_back(function(z));
  return hermite_series(values);
}

TEST(HermiteSeries, ProductsOfTwoPlaces) {
  const HermiteSeries relu = series_of([](double z) { return z > 0 ? z : 0; });
  const HermiteSeries square = series_of([](double z) { return z * z; });
  const HermiteSeries sign = series_of([](double z) { return z > 0 ? 1.0 : z < 0 ? -1.0 : 0.0; });
  for (const double r : {0.0, 0.1, 0.4, 0.8, 0.95, 1.0}) {
    // The arc-cosine kernel of degree one; x²; Sheppard's formula.
    EXPECT_NEAR(relu.product(r), (std::sqrt(1 - r * r) + r * (M_PI - std::acos(r))) / (2 * M_PI), 2e-4) << r;
    EXPECT_NEAR(square.product(r), 1 + 2 * r * r, 1e-9) << r;
    EXPECT_NEAR(sign.product(r), 2 / M_PI * std::asin(r), r < 0.9 ? 0.003 : 0.03) << r;
  }
}

TEST(HermiteSeries, ChangesOfTheVariance) {
  for (const char* text : {"swish(x)", "tanh(x)", "selu(x)", "square(x)", "mul(x,relu(x))", "arcsinh(x)"}) {
    const Expr function = parse(text);
    for (const double v : {0.5, 1.0, 2.0}) {
      const ActivationMoments f = activation_moments(function, {0, v}, false);
      const auto moments = [&](double factor) {
        return gaussian_moments(Reference(function), {.variance = v * factor, .derivative = false});
      };
      constexpr double kStep = 0.01;
      const Moments less = moments(1 - kStep), here = moments(1), more = moments(1 + kStep);
      const double slope = (more.second_moment - less.second_moment) / (2 * kStep);
      const double bend = (more.second_moment - 2 * here.second_moment + less.second_moment) / (kStep * kStep);
      const double mean_bend = (more.mean - 2 * here.mean + less.mean) / (kStep * kStep);
      EXPECT_NEAR(f.power(), slope / here.second_moment, 1e-3) << text;
      EXPECT_NEAR(f.bend(0.2), 1 + 0.1 * bend / here.second_moment, 1e-3) << text;
      EXPECT_NEAR(f.mean_bend(0.2), 0.1 * mean_bend, 1e-3) << text;
    }
  }
}

}  // namespace
}  // namespace actforge
