// Sums, products, quotients and square roots in a fixed order, which IEEE 754 defines to the last bit; compiled without
// contraction, so that none of them are fused.
#include "actforge/base/portable_normal.h"

#include <cmath>
#include <cstddef>
#include <numbers>

namespace actforge {
namespace {

template <std::size_t N>
double polynomial(const double (&k)[N], double x) {
  double sum = k[N - 1];
  for (std::size_t i = N - 1; i-- > 0;) sum = sum * x + k[i];
  return sum;
}

// The logarithm of a normal number > 0, as in FDLIBM's e_log.c: x = 2^k (1 + f) with sqrt(1/2) <= 1 + f < sqrt(2), and
// log(1 + f) = 2 artanh(s), s = f/(2 + f), with an error below one ulp.
double portable_log(double x) {
  constexpr double kSeries[] = {6.666666666666735130e-01, 3.999999999940941908e-01, 2.857142874366239149e-01,
                                2.222219843214978396e-01, 1.818357216161805012e-01, 1.531383769920937332e-01,
                                1.479819860511658591e-01};
  constexpr double kLn2High = 6.93147180369123816490e-01, kLn2Low = 1.90821492927058770002e-10;
  int exponent = 0;
  double mantissa = std::frexp(x, &exponent);
  if (mantissa < std::numbers::sqrt2 / 2) mantissa *= 2, --exponent;
  const double f = mantissa - 1, s = f / (2 + f), z = s * s, half_square = 0.5 * f * f;
  const double rest = s * (half_square + z * polynomial(kSeries, z)) + exponent * kLn2Low;
  return exponent * kLn2High - ((half_square - rest) - f);
}

// The cosine for 0 <= x <= 2π: a multiple of π/2 is taken off in two parts, the first short enough for exact products;
// the rest goes into the polynomials of FDLIBM's k_sin.c and k_cos.c.
double portable_cos(double x) {
  constexpr double kSine[] = {-1.66666666666666324348e-01, 8.33333333332248946124e-03,  -1.98412698298579493134e-04,
                              2.75573137070700676789e-06,  -2.50507602534068634195e-08, 1.58969099521155010221e-10};
  constexpr double kCosine[] = {4.16666666666666019037e-02,  -1.38888888888741095749e-03, 2.48015872894767294178e-05,
                                -2.75573143513906633035e-07, 2.08757232129817482790e-09,  -1.13596475577881948265e-11};
  constexpr double kHalfPiHigh = 1.57079632673412561417e+00, kHalfPiLow = 6.07710050650619224932e-11;
  const int quarter = static_cast<int>(std::lround(x * (2 / std::numbers::pi)));
  const double r = (x - quarter * kHalfPiHigh) - quarter * kHalfPiLow, z = r * r;
  const double sine = r + z * r * polynomial(kSine, z);
  const double cosine = 1 - (0.5 * z - z * z * polynomial(kCosine, z));
  switch (quarter % 4) {
    case 0: return cosine;
    case 1: return -sine;
    case 2: return -cosine;
    default: return sine;
  }
}

}  // namespace

double portable_normal(Random& random) {
  // Box and Muller; 1 - u is never zero.
  const double radius = std::sqrt(-2 * portable_log(1 - random.uniform()));
  return radius * portable_cos(2 * std::numbers::pi * random.uniform());
}

}  // namespace actforge
