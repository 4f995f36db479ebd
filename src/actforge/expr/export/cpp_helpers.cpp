// Scalar functions of exported headers, for any floating-point type T. They repeat scalar_math.cpp in portable form:
// no Boost, and no constant that is good for one precision only.
#include "actforge/expr/export/cpp_helpers.h"

#include <vector>

namespace actforge {
namespace {

std::vector<Helper> gate_helpers() {
  return {
      {"chain", R"(// A locally constant factor wins against an infinite slope: sqrt(relu(x)) has slope 0 for x < 0.
template <class T>
T chain(T outer, T inner) {
  return outer == 0 || inner == 0 ? T(0) : outer * inner;
}

)"},
      {"sigmoid", R"(template <class T>
T sigmoid(T x) {
  const T e = std::exp(-std::abs(x));
  return x >= 0 ? T(1) / (T(1) + e) : e / (T(1) + e);
}

)"},
      {"sigmoid_slope", R"(template <class T>
T sigmoid_slope(T x) {
  const T e = std::exp(-std::abs(x));
  return e / ((T(1) + e) * (T(1) + e));
}

)"},
      {"softplus", R"(template <class T>
T softplus(T x) {
  return (x < 0 ? T(0) : x) + std::log1p(std::exp(-std::abs(x)));
}

)"},
      {"gated", R"(// x times a gate that vanishes faster than x grows.
template <class T>
T gated(T x, T gate) {
  return gate == 0 && x < 0 ? T(0) : x * gate;
}

)"},
      {"gated_slope", R"(template <class T>
T gated_slope(T x, T gate, T gate_slope) {
  return gate_slope == 0 ? gate : gate + x * gate_slope;
}

)"},
      {"gelu_argument", R"(// (1 + tanh u)/2 = sigmoid(2u), with u = sqrt(2/pi) (x + 0.044715 x^3).
template <class T>
T gelu_argument(T x) {
  return T(1.5957691216057308L) * (x + T(0.044715L) * x * x * x);
}

)"},
      {"gelu_slope", R"(template <class T>
T gelu_slope(T x) {
  const T u = gelu_argument(x), gate = sigmoid(u), bell = sigmoid_slope(u);
  if (bell == 0) return gate;
  return gated_slope(x, gate, bell * T(1.5957691216057308L) * (T(1) + T(0.134145L) * x * x));
}

)"},
      {"mish_gate", R"(// tanh(softplus(x)), written with e^-|x| so that nothing overflows.
template <class T>
T mish_gate(T x) {
  const T e = std::exp(-std::abs(x));
  return x >= 0 ? (T(1) + T(2) * e) / (T(1) + T(2) * e + T(2) * e * e) : e * (e + T(2)) / (e * (e + T(2)) + T(2));
}

)"},
      {"mish_slope", R"(template <class T>
T mish_slope(T x) {
  const T e = std::exp(-std::abs(x));
  const T denominator = x >= 0 ? T(1) + T(2) * e + T(2) * e * e : e * (e + T(2)) + T(2);
  const T gate_slope = T(4) * e * (T(1) + e) * (x >= 0 ? e : T(1)) / (denominator * denominator);
  return gated_slope(x, mish_gate(x), gate_slope);
}

)"},
  };
}

std::vector<Helper> other_helpers() {
  return {
      {"softsign", R"(template <class T>
T softsign(T x) {
  return std::isinf(x) ? std::copysign(T(1), x) : x / (T(1) + std::abs(x));
}

)"},
      {"sinc", R"(template <class T>
T sinc(T x) {
  if (std::isinf(x)) return T(0);
  return x == 0 ? T(1) : std::sin(x) / x;
}

)"},
      {"sinc_slope", R"(// (cos x - sinc x)/x, which cancels near 0; the Taylor series takes over there.
template <class T>
T sinc_slope(T x) {
  if (std::isinf(x)) return T(0);
  const T s = x * x;
  if (s < T(0.01)) return -x / T(3) * (T(1) - s / T(10) * (T(1) - s / T(28) * (T(1) - s / T(54) * (T(1) - s / T(88)))));
  return (std::cos(x) - std::sin(x) / x) / x;
}

)"},
      {"maximum", R"(// NaN if either is, and +0 above -0.
template <class T>
T maximum(T a, T b) {
  if (a == b) return std::signbit(a) ? b : a;
  return a > b || std::isnan(a) ? a : b;
}

)"},
      {"win", R"(// The share of a in the slope of max(a, b).
template <class T>
T win(T a, T b) {
  return a > b ? T(1) : a < b ? T(0) : T(0.5);
}

)"},
  };
}

std::vector<Helper> bessel_helpers() {
  return {
      {"bessel_far",
       R"(// e^-x I_n(x) for large x: (2 pi x)^(-1/2) times a series in 1/x (DLMF 10.40.1), and its slope, term by term.
template <class T>
T bessel_far(int order, T x, bool slope) {
  if (std::isinf(x)) return T(0);
  const T n2 = T(4 * order * order), smallest = std::numeric_limits<T>::epsilon() / T(4);
  T term = T(1), sum = T(0);
  for (int k = 0; k < 40 && std::abs(term) > smallest; ++k) {
    if (k > 0) term *= (T(2 * k - 1) * T(2 * k - 1) - n2) / (T(8 * k) * x);
    sum += slope ? -(T(k) + T(0.5)) * term / x : term;
  }
  return sum / std::sqrt(T(6.283185307179586477L) * x);
}

)"},
      {"bessel_near", R"(// e^-x I_n(x) (2/x)^n for 0 <= x <= 30, by the power series: all its terms are positive.
template <class T>
T bessel_near(int order, T x) {
  const T z = x * x / T(4), smallest = std::numeric_limits<T>::epsilon() / T(4);
  T term = std::exp(-x), sum = term;
  for (int k = 1; k < 200 && term > smallest * sum; ++k) sum += term *= z / (T(k) * T(k + order));
  return sum;
}

)"},
      {"bessel_ie", R"(template <class T>
T bessel_ie(int order, T x) {
  const T a = std::abs(x);
  if (!(a <= T(30))) {
    if (std::isnan(x)) return x;
    return order == 1 && x < 0 ? -bessel_far(1, a, false) : bessel_far(order, a, false);
  }
  return order == 1 ? x / T(2) * bessel_near(1, a) : bessel_near(0, a);
}

)"},
      {"bessel_i0e_slope", R"(template <class T>
T bessel_i0e_slope(T x) {
  const T a = std::abs(x);
  if (x == 0 || std::isnan(x)) return x;
  const T slope = a > T(30) ? bessel_far(0, a, true) : a / T(2) * bessel_near(1, a) - bessel_near(0, a);
  return x < 0 ? -slope : slope;
}

)"},
      {"bessel_i1e_slope", R"(template <class T>
T bessel_i1e_slope(T x) {
  const T a = std::abs(x);
  if (a > T(30)) return bessel_far(1, a, true);
  return bessel_near(0, a) - bessel_near(1, a) * (a + T(1)) / T(2);
}

)"},
  };
}

}  // namespace

std::span<const Helper> cpp_helpers() {
  static const std::vector<Helper> list = [] {
    std::vector<Helper> all;
    for (auto* family : {gate_helpers, other_helpers, bessel_helpers}) {
      for (Helper& helper : family()) all.push_back(std::move(helper));
    }
    return all;
  }();
  return list;
}

}  // namespace actforge
