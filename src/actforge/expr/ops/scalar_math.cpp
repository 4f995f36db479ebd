#include "actforge/expr/ops/scalar_math.h"

#include <boost/math/special_functions/bessel.hpp>
#include <cmath>
#include <numbers>

namespace actforge {

double sigmoid(double x) {
  // e^-|x| never overflows, and both branches keep full relative precision.
  const double e = std::exp(-std::fabs(x));
  return x >= 0 ? 1 / (1 + e) : e / (1 + e);
}

double sigmoid_slope(double x) {
  // s(x)(1-s(x)) = e/(1+e)² with e = e^-|x|: no cancellation where s is near one.
  const double e = std::exp(-std::fabs(x));
  return e / ((1 + e) * (1 + e));
}

double softplus(double x) { return (x < 0 ? 0 : x) + std::log1p(std::exp(-std::fabs(x))); }

double gated(double x, double gate) { return gate == 0 && x < 0 ? -0.0 : x * gate; }

double gated_slope(double x, double gate, double gate_slope) { return gate_slope == 0 ? gate : gate + x * gate_slope; }

namespace {

// Beyond kBesselLarge the ordinary functions are close to overflow; the asymptotic series has 1e-16 with a dozen terms
// there.

// I_n(x) e^-x ~ (2πx)^(-1/2) Σ a_k x^-k with a_k = -a_(k-1) (4n²-(2k-1)²)/(8k)  (DLMF 10.40.1), and, differentiated
// term by term, -(2π)^(-1/2) Σ (k+1/2) a_k x^(-k-3/2).
double asymptotic(int order, double x, bool slope) {
  if (std::isinf(x)) return 0;
  double term = 1;
  double sum = 0;
  for (int k = 0; k < 12; ++k) {
    if (k > 0) term *= -(4.0 * order * order - (2.0 * k - 1) * (2.0 * k - 1)) / (8.0 * k * x);
    sum += slope ? -(k + 0.5) * term / x : term;
  }
  return sum / std::sqrt(2 * std::numbers::pi * x);
}

double scaled(int order, double x) { return boost::math::cyl_bessel_i(order, x) * std::exp(-x); }

}  // namespace

double bessel_i0e(double x) {
  const double a = std::fabs(x);
  if (std::isnan(x)) return x;
  return a > kBesselLarge ? asymptotic(0, a, false) : scaled(0, a);
}

double bessel_i1e(double x) {
  const double a = std::fabs(x);
  if (std::isnan(x)) return x;
  return std::copysign(a > kBesselLarge ? asymptotic(1, a, false) : scaled(1, a), x);
}

// With I0' = I1 and I1' = I0 - I1/x (DLMF 10.29.2): (e^-x I0)' = e^-x (I1 - I0), (e^-x I1)' = e^-x (I0 - I1/x - I1).
double bessel_i0e_slope(double x) {
  const double a = std::fabs(x);
  if (x == 0 || std::isnan(x)) return x;
  return std::copysign(1.0, x) * (a > kBesselLarge ? asymptotic(0, a, true) : scaled(1, a) - scaled(0, a));
}

double bessel_i1e_slope(double x) {
  const double a = std::fabs(x);
  if (std::isnan(x)) return x;
  if (a < 1e-8) return 0.5 - a;  // e^-a I1(a) = a/2 - a²/2 + ...
  return a > kBesselLarge ? asymptotic(1, a, true) : scaled(0, a) - scaled(1, a) * (1 + 1 / a);
}

double sinc(double x) {
  if (std::isinf(x)) return 0;
  return std::fabs(x) < 1e-8 ? 1 : std::sin(x) / x;
}

double sinc_slope(double x) {
  if (std::isinf(x)) return 0;
  // (cos x - sinc x)/x cancels near zero; there the Taylor series -x/3 + x³/30 - x⁵/840 takes over.
  const double s = x * x;
  if (std::fabs(x) < 1e-2) return x * (-1.0 / 3 + s * (1.0 / 30 - s * (1.0 / 840)));
  return (std::cos(x) - std::sin(x) / x) / x;
}

double gelu_gate_argument(double x) {
  // (1+tanh u)/2 = σ(2u), with u = sqrt(2/π)(x + 0.044715x³).
  return 2 * std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x);
}

}  // namespace actforge
