#include "actforge/surrogate/membership_curve.h"

#include <array>
#include <cmath>

#include "actforge/base/error.h"

namespace actforge {
namespace {

constexpr int kSamples = 300;

// The sum of squared errors, and what Gauss and Newton's step needs of the slopes J = (df/da, df/db): J'J and J'r.
struct Fit {
  double error = 0;
  double aa = 0, ab = 0, bb = 0;
  double ra = 0, rb = 0;
};

// With p = d^(2b) and f = 1/(1+a p): df/da = -p f^2, df/db = -2 a p ln(d) f^2.
Fit evaluate(const MembershipCurve& curve, double spread, double min_dist) {
  Fit fit;
  for (int i = 0; i < kSamples; ++i) {
    const double d = 3 * spread * i / (kSamples - 1);
    const double wanted = d < min_dist ? 1 : std::exp(-(d - min_dist) / spread);
    const double p = d == 0 ? 0 : std::pow(d, 2 * curve.b);
    const double f = 1 / (1 + curve.a * p);
    const double slope_a = -p * f * f;
    const double slope_b = d == 0 ? 0 : 2 * curve.a * std::log(d) * slope_a;
    const double residual = wanted - f;
    fit.error += residual * residual;
    fit.aa += slope_a * slope_a;
    fit.ab += slope_a * slope_b;
    fit.bb += slope_b * slope_b;
    fit.ra += slope_a * residual;
    fit.rb += slope_b * residual;
  }
  return fit;
}

}  // namespace

// Levenberg and Marquardt's method with two unknowns, so the linear system is solved by hand.
MembershipCurve fit_membership_curve(double spread, double min_dist) {
  if (!(spread > 0 && min_dist >= 0 && min_dist <= spread && std::isfinite(spread))) {
    throw Error(ErrorCode::kUsage, "min_dist must be at least 0 and at most spread, and spread positive");
  }
  MembershipCurve curve;
  Fit fit = evaluate(curve, spread, min_dist);
  double damping = 1e-3;
  for (int i = 0; i < 500 && damping < 1e12; ++i) {
    const double aa = fit.aa * (1 + damping), bb = fit.bb * (1 + damping);
    const double determinant = aa * bb - fit.ab * fit.ab;
    const MembershipCurve next = {.a = curve.a + (bb * fit.ra - fit.ab * fit.rb) / determinant,
                                  .b = curve.b + (aa * fit.rb - fit.ab * fit.ra) / determinant};
    const Fit tried = evaluate(next, spread, min_dist);
    if (next.a > 0 && next.b > 0 && tried.error <= fit.error) {
      const bool done = fit.error - tried.error <= 1e-15 * fit.error;
      curve = next;
      fit = tried;
      damping /= 10;
      if (done) break;
    } else {
      damping *= 10;
    }
  }
  return curve;
}

}  // namespace actforge
