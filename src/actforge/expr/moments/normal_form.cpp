#include "actforge/expr/moments/normal_form.h"

#include <array>
#include <charconv>
#include <cmath>

#include "actforge/base/error.h"
#include "actforge/base/find_named.h"
#include "actforge/expr/language/print.h"
#include "actforge/expr/moments/moments.h"

namespace actforge {
namespace {

constexpr NormalForm kForms[] = {
    {"scale", "a·f with E f² = 1"},
    {"centre", "a·(f - b) with E f = 0 and E f² = 1", true},
    {"slope", "a·(f - b) with E f = 0 and E f'² = 1", true, true},
};

// Six digits: enough to compare shapes, and short enough to read.
double rounded(double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 6);
  double result = 0;
  std::from_chars(text.data(), end.ptr, result);
  return result;
}

[[noreturn]] void refuse(const Expr& function, const NormalForm& form, const std::string& why) {
  throw Error(ErrorCode::kBadInput, to_call(function) + " has no normal form '" + std::string(form.name) + "': " + why);
}

// a·(f - b), of which 1 and 0 are left out.
Expr stretched(const Expr& function, double a, double b) {
  ExprBuilder builder;
  NodeId node = 0;
  if (a != 1) {
    const NodeId factor = builder.constant(a);
    node = builder.insert(function);
    const std::array<NodeId, 2> product = {factor, node};
    node = builder.apply(Op::kMul, product);
  } else {
    node = builder.insert(function);
  }
  if (b != 0) {
    const NodeId shift = builder.constant(rounded(a * b));
    const std::array<NodeId, 2> difference = {node, shift};
    node = builder.apply(Op::kSub, difference);
  }
  return builder.finish();
}

}  // namespace

std::span<const NormalForm> normal_forms() { return kForms; }

const NormalForm& find_normal_form(std::string_view name) { return find_named(kForms, name, "normal form"); }

Expr in_normal_form(const Expr& function, const NormalForm& form) {
  const Moments moments = gaussian_moments(Reference(function), {.derivative = form.by_slope});
  const double size = form.by_slope  ? moments.derivative_second_moment
                      : form.centred ? moments.variance
                                     : moments.second_moment;
  if (!moments.integrable() && !std::isfinite(size)) refuse(function, form, moments.problems[0]);
  constexpr double kLeast = 1e-12, kMost = 1e12;  // beyond, floats do not hold what the network computes
  if (!(size > kLeast && size < kMost)) {
    refuse(function, form, "its size, " + std::to_string(size) + ", cannot be made 1");
  }
  const double a = rounded(1 / std::sqrt(size)), b = form.centred ? moments.mean : 0;
  if (!std::isfinite(b)) refuse(function, form, "its mean is not finite");
  constexpr double kNearly = 1.1e-5;  // twice what six digits leave
  return stretched(function, std::fabs(a - 1) < kNearly ? 1 : a, std::fabs(a * b) < kNearly ? 0 : b);
}

Expr in_normal_form(const Expr& function, std::string_view form) {
  return form == "none" ? function : in_normal_form(function, find_normal_form(form));
}

}  // namespace actforge
