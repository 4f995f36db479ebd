#pragma once

#include <vector>

#include "actforge/expr/language/expr.h"

namespace actforge {

// A function of one bend after another, away from 0 on both sides:
//
//   f(x) = value + slope·x + Σ_{t ≥ 0} c_t·h(x - t) + Σ_{t < 0} c_t·h(t - x),
//
// with h = relu; or, for a `sharpness` k that is not zero, h(u) = softplus(k·u), which is smooth. softplus(k·u)/k and
// relu(u) differ by log(1 + e^(-k|u|))/k: log(2)/k at the bend, and the less the farther from it. The slope goes from
// one piece to the next within about ±3/k, since that of softplus is sigmoid, and sigmoid(3) = 0.95.
//
// Hinges that open away from 0 make small numbers of small x. But far out a curve that levels off, tanh say, is x minus
// nearly x: the error of float32 grows with x, no rounded coefficients cancel to the slope that was meant, and at
// infinity it is inf - inf. So a side on which terms have different signs stops growing at its last bend, `end`, (a
// smooth one 20/k behind it, where the difference is down to 2e-9/k), and from there on has a slope of its own:
//
//   f(x) = ... x replaced by min(x, end) on that side ... + tail·relu(x - end).
//
// Then no term exceeds what it is at the end, the tail is exact, and the limits at ±inf are right. At `end` itself the
// slope is 0, at every other bend that of the side nearer to 0 (as relu's slope at 0 is 0).
struct Hinge {
  double at = 0;
  double factor = 0;  // c_t
};

struct HingeSide {
  std::vector<Hinge> hinges = {};  // nearest to 0 first
  bool ends = false;               // whether it stops growing
  double end = 0;
  double tail = 0;  // beyond the end: what f grows by, per unit, away from 0
};

struct HingeForm {
  double value = 0;
  double slope = 0;
  double sharpness = 0;
  HingeSide right = {};
  HingeSide left = {};
};

// As it is written above; what has the factor 0 is left out.
Expr hinge_expr(const HingeForm& form);

// Numbers are written with six digits, counted from the largest of their kind: 1.23457 beside 0.00321.
inline constexpr int kHingeDigits = 6;
// The last decimal place of numbers up to `largest` in size: 1e-5 for 3.2.
double hinge_step(double largest);
// To a multiple of that, as near to the decimal number as a double can be.
double rounded_to(double value, double step);

}  // namespace actforge
