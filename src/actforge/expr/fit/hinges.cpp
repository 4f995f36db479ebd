#include "actforge/expr/fit/hinges.h"

#include <cmath>
#include <string>

#include "actforge/base/number_text.h"
#include "actforge/expr/language/parse.h"

namespace actforge {
namespace {

std::string times(double factor, const std::string& what) {
  return factor == 1 ? what : "mul(" + number_text(factor) + "," + what + ")";
}

// x, or what is left of it where the sides stop growing.
std::string clipped_right(const HingeForm& form) {
  return form.right.ends ? "min(x," + number_text(form.right.end) + ")" : "x";
}

std::string clipped_left(const std::string& x, const HingeForm& form) {
  return form.left.ends ? "max(" + x + "," + number_text(form.left.end) + ")" : x;
}

// How far x is beyond `at`, away from 0.
std::string beyond(const std::string& x, double at, bool right) {
  if (right) return at == 0 ? x : "sub(" + x + "," + number_text(at) + ")";
  return "sub(" + number_text(at) + "," + x + ")";
}

void add_side(const HingeForm& form, bool right, std::vector<std::string>& terms) {
  const HingeSide& side = right ? form.right : form.left;
  const std::string x = right ? clipped_right(form) : clipped_left("x", form);
  for (const Hinge& hinge : side.hinges) {
    const std::string u = beyond(x, hinge.at, right);
    terms.push_back(
        times(hinge.factor, form.sharpness == 0 ? "relu(" + u + ")" : "softplus(" + times(form.sharpness, u) + ")"));
  }
  if (side.ends && side.tail != 0) terms.push_back(times(side.tail, "relu(" + beyond("x", side.end, right) + ")"));
}

}  // namespace

Expr hinge_expr(const HingeForm& form) {
  std::vector<std::string> terms;
  if (form.value != 0) terms.push_back(number_text(form.value));
  if (form.slope != 0) terms.push_back(times(form.slope, clipped_left(clipped_right(form), form)));
  add_side(form, true, terms);
  add_side(form, false, terms);
  if (terms.empty()) return parse("0");
  std::string text = terms[0];
  for (std::size_t i = 1; i < terms.size(); ++i) text += "," + terms[i];
  return parse(terms.size() == 1 ? text : (terms.size() == 2 ? "add(" : "sum_n(") + text + ")");
}

double hinge_step(double largest) {
  // Powers of ten beyond that overflow; and no float32 is so small.
  constexpr double kNothing = 1e-290;
  return largest > kNothing ? std::pow(10.0, std::floor(std::log10(largest)) + 1 - kHingeDigits) : 1;
}

double rounded_to(double value, double step) {
  // A power of ten is exact, its reciprocal is not: 3·0.1 is 0.30000000000000004, 3/10 is 0.3.
  const double places = std::round(std::log10(step));
  const double unit = std::pow(10.0, std::fabs(places));
  const double rounded = places < 0 ? std::round(value * unit) / unit : std::round(value / unit) * unit;
  return rounded == 0 ? 0 : rounded;  // never -0
}

}  // namespace actforge
