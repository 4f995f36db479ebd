#pragma once

namespace actforge {

// A number as an unevaluated sum of two doubles, with about 106 bits, and its functions, for the constants that
// canonical forms fold. The C library has several versions of most functions and picks one by the processor, which
// would give one function two canonical forms. Here all is sums, products, quotients and square roots in a fixed order:
// the same bits on every machine, and nearly always the correctly rounded result.
struct Wide {
  double high = 0;
  double low = 0;

  Wide() = default;
  Wide(double value) : high(value) {}  // NOLINT(google-explicit-constructor): constants in formulas
  Wide(double h, double l) : high(h), low(l) {}
  explicit operator double() const { return high + low; }
};

Wide operator-(const Wide& a);
Wide operator+(const Wide& a, const Wide& b);
Wide operator-(const Wide& a, const Wide& b);
Wide operator*(const Wide& a, const Wide& b);
Wide operator/(const Wide& a, const Wide& b);
bool operator<(const Wide& a, const Wide& b);

Wide abs(const Wide& x);
Wide sqrt(const Wide& x);
Wide exp(const Wide& x);
Wide expm1(const Wide& x);
Wide log(const Wide& x);  // x > 0
Wide pow(const Wide& a, const Wide& b);
Wide sin(const Wide& x);
Wide cos(const Wide& x);
Wide sinh(const Wide& x);
Wide cosh(const Wide& x);
Wide asinh(const Wide& x);
Wide tanh(const Wide& x);
Wide atanh(const Wide& x);
Wide atan(const Wide& x);
Wide erf(const Wide& x);
Wide erfc(const Wide& x);
Wide sigmoid(const Wide& x);
Wide softplus(const Wide& x);
// e^-|x| I_n(x), n = 0 or 1, |x| <= 500.
Wide bessel_ie(int order, const Wide& x);

}  // namespace actforge
