// The canonical form has the value of the expression: for every function of spaces full of signed zeros and infinities,
// where random expressions would seldom meet them.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "actforge/expr/language/graph.h"
#include "actforge/expr/language/print.h"
#include "actforge/expr/language/reference.h"
#include "tests/space/problems.h"

namespace actforge {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity(), kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kPoints[] = {-kInf, -2, -1, -0.5, -0.0, 0.0, 0.5, 1, 2, kInf, kNan};

TEST(CanonicalSpace, KeepsEveryValue) {
  const Space space(SpaceDefinition{
      .name = "zeros",
      .unary = {Op::kZero, Op::kOne, Op::kNegative, Op::kAbs, Op::kReciprocal, Op::kRelu, Op::kMin0, Op::kSqrt},
      .binary = {Op::kAdd, Op::kSub, Op::kMul, Op::kDiv, Op::kPow, Op::kMax, Op::kMin, Op::kDivNoNan, Op::kDivEps},
      .nary = {Op::kSumN, Op::kMaxN},
      .schemas = {"unary(unary(binary(unary(x),unary(x))))", "unary(binary(unary(unary(x)),x))",
                  "reciprocal(binary(x,unary(unary(x))))", "unary(binary(binary(x,unary(x)),x))",
                  "unary(nary(unary(x),x,unary(x)))", "binary(1,unary(binary(x,unary(x))))"}});
  for (Integer i = 0; i < space.total(); ++i) {
    const Expr expr = space.at(i);
    const Expr simple = canonical(expr).to_expr();
    const Reference before(expr), after(simple);
    for (const double x : kPoints) {
      const double a = before.at(x).value, b = after.at(x).value;
      ASSERT_TRUE(a == b || (std::isnan(a) && std::isnan(b)))
          << to_call(expr) << " is " << a << " at " << x << "; " << to_call(simple) << " is " << b;
    }
  }
}

}  // namespace
}  // namespace actforge
