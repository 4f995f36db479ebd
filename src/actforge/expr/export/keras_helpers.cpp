// Functions that the spellings for keras.ops call, written with keras.ops themselves.
#include <array>
#include <charconv>
#include <vector>

#include "actforge/expr/export/keras_layer.h"
#include "actforge/expr/kernels/simd_coefficients.h"

namespace actforge {
namespace {

std::string tuple(std::span<const float> coefficients) {
  std::string text;
  for (const float value : coefficients) {
    std::array<char, 32> buffer{};
    const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    text += (text.empty() ? "" : ", ") + std::string(buffer.data(), end);
  }
  return "(" + text + ")";
}

std::string ratio(std::span<const float> numerator, std::span<const float> denominator, std::string_view argument) {
  return "_ratio(\n        " + tuple(numerator) + ",\n        " + tuple(denominator) + ", " + std::string(argument) +
         ")";
}

// The fits hold up to 8192, but in powers of 1/a they run into the asymptotic forms by themselves.
std::vector<Helper> rational_helpers() {
  return {
      {"_polynomial", R"(def _polynomial(coefficients, a):
    """By Horner's rule; coefficients in ascending powers."""
    total = coefficients[-1]
    for coefficient in coefficients[-2::-1]:
        total = total * a + coefficient
    return total


)"},
      {"_ratio", R"(def _ratio(p, q, a, power=0):
    """p(a)/q(a) for a >= 0; from 1 on times a**power, and in powers of 1/a, so that not even the slope overflows."""
    is_small = a < 1
    one = ops.ones_like(a)
    low = ops.where(is_small, a, one)
    u = 1.0 / ops.where(is_small, one, a)
    high = u ** (len(q) - len(p) - power) * _polynomial(p[::-1], u) / _polynomial(q[::-1], u)
    return ops.where(is_small, _polynomial(p, low) / _polynomial(q, low), high)


)"},
      {"_erfc", R"(def _erfc(a):
    """1 - erf(a) without cancellation: e^(-a*a) times a rational function fitted to 1e-8."""
    magnitude = ops.where(a < 0, -a, a)
    ratio = )" + ratio(kErfcP, kErfcQ, "magnitude") +
                    R"(
    tail = ops.exp(-magnitude * magnitude) * ratio
    return ops.where(a < 0, 2.0 - tail, tail)


)"},
      {"_bessel_i0e", R"(def _bessel_i0e(a):
    """e^-|a| I0(a): the root of a rational function fitted to 1e-7."""
    magnitude = ops.sign(a) * a  # unlike that of abs, its slope at 0 is 0 on every backend
    return ops.sqrt()" + ratio(kI0eP, kI0eQ, "magnitude") +
                          R"()


)"},
      {"_bessel_i1e", R"(def _bessel_i1e(a):
    """e^-|a| I1(a): a times the root of a rational function fitted to 1e-7."""
    magnitude = ops.abs(a)
    return ops.where(magnitude < 1, a, ops.sign(a)) * ops.sqrt()" +
                          ratio(kI1eP, kI1eQ, "magnitude, 2") +
                          R"()


)"},
  };
}

std::vector<Helper> make_guarded_helpers() {
  return {
      {"_sinc", R"(def _sinc(a):
    """sin(a)/a, by its series near 0, where the slope of the quotient cancels."""
    is_near = ops.abs(a) < 0.1
    s = ops.square(ops.where(is_near, a, ops.zeros_like(a)))
    series = 1.0 - s / 6.0 * (1.0 - s / 20.0 * (1.0 - s / 42.0 * (1.0 - s / 72.0)))
    safe = ops.where(is_near, ops.ones_like(a), a)
    return ops.where(is_near, series, ops.sin(safe) / safe)


)"},
      {"_sqrt", R"(def _sqrt(a):
    """sqrt(a) with slope 0 at 0, so that a locally constant argument does not make NaN of an infinite one."""
    is_zero = a == 0
    return ops.where(is_zero, ops.zeros_like(a), ops.sqrt(ops.where(is_zero, ops.ones_like(a), a)))


)"},
      {"_reciprocal", R"(def _reciprocal(a):
    """1/a with slope 0 at 0, so that a locally constant argument does not make NaN of an infinite one."""
    is_zero = a == 0
    quotient = 1.0 / ops.where(is_zero, ops.ones_like(a), a)
    return ops.where(is_zero, 1.0 / ops.stop_gradient(a), quotient)


)"},
      {"_div_no_nan", R"(def _div_no_nan(a, b):
    """a/b, or 0 with slopes 0 where b is 0."""
    is_zero = b == 0
    return ops.where(is_zero, ops.zeros_like(b), a / ops.where(is_zero, ops.ones_like(b), b))


)"},
      {"_pow", R"(def _pow(a, b):
    """a**b; its slope with respect to b is 0 for a <= 0, and so are both where they would be infinite."""
    positive = a > 0
    singular = ops.logical_and(a == 0, b < 1)
    one = ops.ones_like(a)
    fixed = ops.stop_gradient(b)
    power = ops.power(ops.where(positive, a, one), b)
    other = ops.power(ops.where(ops.logical_or(positive, singular), one, a), fixed)
    return ops.where(positive, power, ops.where(singular, ops.power(ops.stop_gradient(a), fixed), other))


)"},
  };
}

}  // namespace

std::span<const Helper> guarded_helpers() {
  static const std::vector<Helper> list = make_guarded_helpers();
  return list;
}

std::span<const Helper> keras_helpers() {
  static const std::vector<Helper> list = [] {
    std::vector<Helper> all = rational_helpers();
    all.insert(all.end(), guarded_helpers().begin(), guarded_helpers().end());
    return all;
  }();
  return list;
}

}  // namespace actforge
