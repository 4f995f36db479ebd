#include "actforge/search/maps/equal_functions.h"

#include <cmath>

#include "actforge/expr/language/reference.h"

namespace actforge {
namespace {

bool same_number(double a, double b) {
  constexpr double kTolerance = 1e-6;  // what float32 leaves of a few operations
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  if (std::isinf(a) || std::isinf(b)) return a == b;
  return std::abs(a - b) <= kTolerance * (1 + std::max(std::abs(a), std::abs(b)));
}

bool same_values(const Reference& a, const Reference& b) {
  constexpr int kPoints = 201;
  for (int i = 0; i < kPoints; ++i) {
    // Off the places where kinks and poles are.
    const double x = -5 + 10 * (i + 0.37) / kPoints;
    if (!same_number(a.value(x), b.value(x))) return false;
  }
  return true;
}

}  // namespace

bool nearly_equal(const Expr& a, const Expr& b) {
  Reference first(a), second(b);
  if (first.parameters().size() != second.parameters().size()) return false;
  if (!same_values(first, second)) return false;
  for (const double shift : {0.3, -0.7}) {
    for (std::size_t place = 0; place < first.parameters().size(); ++place) {
      // Differently for each, so that exchanged ones are noticed.
      const double factor = 1 + shift * static_cast<double>(place + 1);
      first.set_parameter(place, first.parameter_values()[place] * factor + shift);
      second.set_parameter(place, second.parameter_values()[place] * factor + shift);
    }
    if (!first.parameters().empty() && !same_values(first, second)) return false;
  }
  return true;
}

}  // namespace actforge
