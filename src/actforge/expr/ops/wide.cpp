// Double-double arithmetic after Dekker, "A floating-point technique for extending the available precision" (1971).
// Compiled without contraction.
#include "actforge/expr/ops/wide.h"

#include <cmath>
#include <cstdlib>

namespace actforge {
namespace {

// a + b and a b exactly, as the rounded result and what it lacks.
Wide exact_sum(double a, double b) {
  const double s = a + b, t = s - a;
  return {s, (a - (s - t)) + (b - t)};
}

struct Halves {
  double high, low;
};
Halves split(double a) {
  const double t = 134217729.0 * a;  // 2^27 + 1
  const double high = t - (t - a);
  return {high, a - high};
}

Wide exact_product(double a, double b) {
  const double p = a * b;
  const Halves x = split(a), y = split(b);
  return {p, ((x.high * y.high - p) + x.high * y.low + x.low * y.high) + x.low * y.low};
}

// |a| >= |b|.
Wide normal(double a, double b) {
  const double s = a + b;
  return {s, b - (s - a)};
}

Wide scaled(const Wide& a, int exponent) { return {std::ldexp(a.high, exponent), std::ldexp(a.low, exponent)}; }

const Wide kLn2{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
const Wide kHalfPi{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
const Wide kTwoOverRootPi{0x1.20dd750429b6dp+0, 0x1.1ae3a914fed80p-56};

// e^r - 1 for |r| <= 0.4: Taylor's series at r/256, squared eight times as (1 + p)² - 1 = 2p + p².
Wide expm1_near(const Wide& r) {
  const Wide s = scaled(r, -8);
  Wide p = 0;
  for (int k = 14; k >= 1; --k) p = s / Wide(k) * (Wide(1) + p);
  for (int i = 0; i < 8; ++i) p = p + p + p * p;
  return p;
}

// 2^shift e^x.
Wide exp_scaled(const Wide& x, int shift) {
  const double k = std::floor(x.high * 1.4426950408889634 + 0.5);
  return scaled(Wide(1) + expm1_near(x - Wide(k) * kLn2), static_cast<int>(k) + shift);
}

// Taylor's series of the sine and the cosine, |r| <= π/4.
Wide sine_series(const Wide& r) {
  const Wide z = r * r;
  Wide sum = 1;
  for (int k = 28; k >= 2; k -= 2) sum = Wide(1) - z / Wide(k * (k + 1)) * sum;
  return r * sum;
}
Wide cosine_series(const Wide& r) {
  const Wide z = r * r;
  Wide sum = 1;
  for (int k = 29; k >= 1; k -= 2) sum = Wide(1) - z / Wide(k * (k + 1)) * sum;
  return sum;
}

// sin(x + quarters π/2).
Wide sine_from(const Wide& x, int quarters) {
  const double k = std::floor(x.high / kHalfPi.high + 0.5);
  const Wide r = x - Wide(k) * kHalfPi;
  const auto quadrant = static_cast<unsigned>(static_cast<long long>(k) + quarters) % 4;
  const Wide y = quadrant % 2 == 0 ? sine_series(r) : cosine_series(r);
  return quadrant < 2 ? y : -y;
}

// An approximation of log(a) to start from: the exponent, and a series at the mantissa.
double rough_log(double a) {
  int exponent = 0;
  const double m = std::frexp(a, &exponent), s = (m - 0.75) / (m + 0.75), z = s * s;
  return (exponent - 0.41503749927884376) * 0.6931471805599453 + 2 * s * (1 + z * (1.0 / 3 + z * (0.2 + z / 7)));
}

// Of 0 <= x <= 1, by three halvings: atan x = 2 atan(x/(1 + sqrt(1 + x²))).
Wide atan_unit(Wide x) {
  constexpr int kHalvings = 3;
  for (int i = 0; i < kHalvings; ++i) x = x / (Wide(1) + sqrt(Wide(1) + x * x));
  const Wide z = x * x;
  Wide sum = 0;
  for (int k = 45; k >= 1; k -= 2) sum = Wide(1) / Wide(k) - z * sum;
  return scaled(x * sum, kHalvings);
}

// e^(x²) erfc(x) for x >= 2: 1/sqrt(π) 1/(x + (1/2)/(x + 1/(x + (3/2)/(x + ...)))).
Wide erfc_fraction(const Wide& x) {
  Wide tail = x;
  for (int k = 300; k >= 1; --k) tail = x + Wide(0.5 * k) / tail;
  return scaled(kTwoOverRootPi, -1) / tail;
}

}  // namespace

Wide operator-(const Wide& a) { return {-a.high, -a.low}; }

Wide operator+(const Wide& a, const Wide& b) {
  const Wide high = exact_sum(a.high, b.high), low = exact_sum(a.low, b.low);
  const Wide sum = normal(high.high, high.low + low.high);
  return normal(sum.high, sum.low + low.low);
}

Wide operator-(const Wide& a, const Wide& b) { return a + -b; }

Wide operator*(const Wide& a, const Wide& b) {
  const Wide p = exact_product(a.high, b.high);
  return normal(p.high, p.low + (a.high * b.low + a.low * b.high));
}

Wide operator/(const Wide& a, const Wide& b) {
  const double first = a.high / b.high;
  const Wide rest = a - b * Wide(first);
  const double second = rest.high / b.high;
  const double third = (rest - b * Wide(second)).high / b.high;
  return normal(first, second) + Wide(third);
}

bool operator<(const Wide& a, const Wide& b) { return a.high < b.high || (a.high == b.high && a.low < b.low); }

Wide abs(const Wide& x) { return x < Wide(0) ? -x : x; }

Wide sqrt(const Wide& x) {
  const double root = std::sqrt(x.high);
  if (root == 0) return root;
  return Wide(root) + (x - Wide(root) * Wide(root)) / Wide(2 * root);
}

Wide exp(const Wide& x) { return exp_scaled(x, 0); }
Wide expm1(const Wide& x) { return abs(x) < Wide(0.4) ? expm1_near(x) : exp(x) - Wide(1); }

// Newton's method with the next term: y + t - t²/2 with t = x e^-y - 1.
Wide log(const Wide& x) {
  // Products of larger numbers could overflow.
  constexpr int kFar = 500;
  if (const int exponent = std::ilogb(x.high); std::abs(exponent) > kFar) {
    return log(scaled(x, -exponent)) + Wide(exponent) * kLn2;
  }
  Wide y = rough_log(x.high);
  for (int i = 0; i < 4; ++i) {
    const Wide t = x * exp(-y) - Wide(1);
    y = y + t - t * t * Wide(0.5);
  }
  return y;
}

// A negative base has a whole exponent.
Wide pow(const Wide& a, const Wide& b) {
  const Wide y = exp(b * log(abs(a)));
  return a < Wide(0) && std::fmod(b.high, 2) != 0 ? -y : y;
}

// Beyond, π has too few bits. The C library has enough; the kernels end at 39000 anyway.
constexpr double kLargestAngle = 0x1p50;
Wide sin(const Wide& x) { return std::fabs(x.high) > kLargestAngle ? Wide(std::sin(x.high)) : sine_from(x, 0); }
Wide cos(const Wide& x) { return std::fabs(x.high) > kLargestAngle ? Wide(std::cos(x.high)) : sine_from(x, 1); }

Wide sinh(const Wide& x) {
  if (Wide(0.4) < abs(x)) return exp_scaled(x, -1) - exp_scaled(-x, -1);
  const Wide e = expm1(x);
  return (e + e / (Wide(1) + e)) * Wide(0.5);
}
Wide cosh(const Wide& x) { return exp_scaled(x, -1) + exp_scaled(-x, -1); }

// With m = e^(2x) - 1: m/(m + 2).
Wide tanh(const Wide& x) {
  if (std::fabs(x.high) > 40) return std::copysign(1.0, x.high);
  const Wide m = expm1(x + x);
  return m / (m + Wide(2));
}

Wide asinh(const Wide& x) {
  const Wide a = abs(x), z = a * a;
  if (a < Wide(1e-10)) return x - x * z / Wide(6);
  const Wide y = a < Wide(1e30) ? log(a + sqrt(z + Wide(1))) : log(a) + kLn2;
  return x < Wide(0) ? -y : y;
}

Wide atanh(const Wide& x) {
  if (abs(x) < Wide(1e-10)) return x + x * x * x / Wide(3);
  return log((Wide(1) + x) / (Wide(1) - x)) * Wide(0.5);
}

Wide atan(const Wide& x) {
  const Wide a = abs(x);
  if (Wide(1e30) < a) return std::copysign(1.0, x.high) * (kHalfPi - Wide(1 / a.high));
  const Wide y = Wide(1) < a ? kHalfPi - atan_unit(Wide(1) / a) : atan_unit(a);
  return x < Wide(0) ? -y : y;
}

// 2/sqrt(π) e^(-x²) Σ 2^k x^(2k+1)/(1·3·5···(2k+1)), all of one sign (DLMF 7.6.2).
Wide erf(const Wide& x) {
  if (std::fabs(x.high) > 6.5) return std::copysign(1.0, x.high);  // but for 4e-20
  const Wide z = x * x;
  Wide term = x, sum = x;
  for (int k = 1; k < 250 && std::fabs(sum.high) * 1e-34 < std::fabs(term.high); ++k) {
    term = term * Wide(2) * z / Wide(2 * k + 1);
    sum = sum + term;
  }
  return kTwoOverRootPi * exp(-z) * sum;
}

Wide erfc(const Wide& x) { return x < Wide(2) ? Wide(1) - erf(x) : exp(-(x * x)) * erfc_fraction(x); }

Wide sigmoid(const Wide& x) {
  const Wide e = exp(-abs(x));
  return (x < Wide(0) ? e : Wide(1)) / (Wide(1) + e);
}

Wide softplus(const Wide& x) {
  const Wide e = exp(-abs(x));
  const bool is_tiny = e < Wide(1e-10);  // log(1 + e) would lose its digits
  const Wide log1p = is_tiny ? e - e * e / Wide(2) + e * e * e / Wide(3) : log(Wide(1) + e);
  return (x < Wide(0) ? Wide(0) : x) + log1p;
}

Wide bessel_ie(int order, const Wide& x) {
  const Wide a = abs(x), z = a * a * Wide(0.25);
  Wide term = order == 0 ? Wide(1) : a * Wide(0.5), sum = term;
  for (int k = 1; k < 1200 && sum.high * 1e-34 < term.high; ++k) {
    term = term * z / Wide(static_cast<double>(k) * (k + order));
    sum = sum + term;
  }
  const Wide y = sum * exp(-a);
  return order == 1 && x < Wide(0) ? -y : y;
}

}  // namespace actforge
