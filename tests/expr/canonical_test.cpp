#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <optional>

#include "actforge/base/error.h"
#include "actforge/expr/language/graph.h"
#include "actforge/expr/language/parse.h"
#include "actforge/expr/language/print.h"
#include "actforge/expr/language/reference.h"
#include "tests/expr/random_expr.h"

namespace actforge {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

TEST(Canonical, EqualFunctionsMeet) {
  const std::pair<const char*, const char*> same[] = {
      {"add(x,tanh(x))", "add(tanh(x),x)"},
      {"max(x,0)", "relu(x)"},
      {"max(zero(x),identity(x))", "relu(x)"},
      {"max(relu(x),x)", "relu(x)"},
      {"relu(abs(relu(x)))", "relu(x)"},
      {"min(x,0)", "min0(x)"},
      {"max(max(x,1),tanh(x))", "max_n(tanh(x),1,x)"},
      {"mul(x,one(x))", "x"},
      {"add(x,zero(x))", "x"},
      {"sub(x,negative(tanh(x)))", "add(tanh(x),x)"},
      {"negative(negative(x))", "x"},
      {"mul(negative(x),negative(exp(x)))", "mul(exp(x),x)"},
      {"mul(x,x)", "square(negative(x))"},
      {"pow(x,2)", "square(abs(x))"},
      {"mul(x,mul(x,x))", "cube(x)"},
      {"cosh(negative(x))", "cosh(abs(x))"},
      {"erf(negative(x))", "negative(erf(x))"},
      {"div(1,x)", "reciprocal(x)"},
      {"pow(x,-1)", "reciprocal(x)"},
      {"div(x,2)", "mul(x,0.5)"},
      {"sum_n(x,abs(x),1)", "sum_n(1,x,abs(x))"},
      {"elish(x)", "mul(elu(x),sigmoid(x))"},
      {"elu(relu(x))", "max(0,x)"},
      {"mul(cosh(one(x)),swish(x))", "mul(swish(x),1.5430806348152437)"},
      {"negative(softplus(negative(x)))", "log_sigmoid(x)"},
      {"add(2,mul(3,4))", "14"},
      {"negative(mul(2,x))", "mul(x,-2)"},
      {"alpha(negative(x))", "negative(alpha(x))"},
      {"min(x,x)", "x"},
      {"div_no_nan(x,2)", "mul(0.5,x)"},
      {"prelu(x)", "add(alpha[0.25,neuron](min0(x)),relu(x))"},
  };
  for (const auto& [a, b] : same) {
    EXPECT_EQ(canonical(parse(a)).hash(), canonical(parse(b)).hash())
        << a << " is " << to_call(canonical(parse(a)).to_expr()) << ", " << b << " is "
        << to_call(canonical(parse(b)).to_expr());
  }
}

TEST(Canonical, DifferentFunctionsDoNot) {
  const std::pair<const char*, const char*> different[] = {
      {"sub(x,1)", "sub(1,x)"},
      {"div(x,2)", "div(2,x)"},
      {"mul(x,0)", "0"},
      {"sub(x,x)", "0"},
      {"alpha(x)", "beta(x)"},
      {"alpha(x)", "alpha[2](x)"},
      {"relu(x)", "min0(x)"},
      {"swish(x)", "mul(x,sigmoid(x))"},
      {"div(x,x)", "div_no_nan(x,x)"},
      {"0", "-0"},
      {"add(add(x,1),tanh(x))", "add(x,add(1,tanh(x)))"},
  };
  for (const auto& [a, b] : different)
    EXPECT_NE(canonical(parse(a)).hash(), canonical(parse(b)).hash()) << a << ", " << b;
}

TEST(Canonical, HashIsStable) {
  // Stored with every study: a change here orphans them.
  EXPECT_EQ(canonical(parse("max(relu(x),cosh(elu(x)))")).hash().hex(), "5b62592d7ff1c46419cbaf6779bffeb0");
}

TEST(Canonical, SharesSubexpressionsInsteadOfCopying) {
  // apl uses its argument eight times: as a tree, ten of them would have a billion nodes.
  std::string text = "x";
  for (int i = 0; i < 10; ++i) text = "apl(" + text + ")";
  const Graph graph = canonical(parse(text));
  EXPECT_LT(graph.nodes().size(), 500u);
  EXPECT_EQ(graph.parameters().size(), 140u);
  EXPECT_THROW(graph.to_expr(), Error);
}

// Same bits, except that the sign of a zero result and the payload of NaN do not count.
bool same_value(double a, double b) { return (std::isnan(a) && std::isnan(b)) || a == b; }

// The canonical form as a tree; none where sharing hides too large a one.
std::optional<Expr> simplified(const Expr& expr) {
  try {
    return canonical(expr).to_expr();
  } catch (const Error&) {
    return std::nullopt;
  }
}

TEST(Canonical, NeverChangesAValue) {
  Random random(11);
  std::vector<double> inputs = {0.0, -0.0, kInf, -kInf, std::nan(""), 1, -1, 1e-300, -1e300, 2.5, -2.5, 1e-7, -1e-7};
  for (int i = 0; i < 10; ++i) inputs.push_back(3 * random.normal());
  int changed_form = 0;
  for (int i = 0; i < 50000; ++i) {
    const Expr expr = random_expr(random, 1 + random.below(12));
    const auto other_expr = simplified(expr);
    if (!other_expr) continue;
    changed_form += *other_expr == expr ? 0 : 1;
    Reference original(expr), other(*other_expr);
    // Names of parameters are the same in both; one that the canonical form drops has no counterpart.
    for (std::size_t k = 0; k < original.parameters().size(); ++k) {
      const double p = 0.5 + random.uniform();
      original.set_parameter(k, p);
      for (std::size_t j = 0; j < other.parameters().size(); ++j) {
        if (other.parameters()[j].index == original.parameters()[k].index) other.set_parameter(j, p);
      }
    }
    for (const double x : inputs) {
      ASSERT_TRUE(same_value(original.value(x), other.value(x)))
          << to_call(expr) << " -> " << to_call(*other_expr) << " at " << x << ": " << original.value(x) << " and "
          << other.value(x);
    }
  }
  EXPECT_GT(changed_form, 10000);
}

TEST(Canonical, NeverChangesASlope) {
  Random random(13);
  int compared = 0;
  for (int i = 0; i < 20000; ++i) {
    const Expr expr = random_expr(random, 1 + random.below(12));
    const auto other_expr = simplified(expr);
    if (!other_expr) continue;
    const Reference original(expr), other(*other_expr);
    for (int k = 0; k < 5; ++k) {
      const double x = 2 * random.normal();  // never on a kink
      const auto a = original.at(x), b = other.at(x);
      if (!std::isfinite(a.value) || !std::isfinite(a.slope) || std::fabs(a.slope) > 1e8) continue;
      ++compared;
      ASSERT_NEAR(a.slope, b.slope, 1e-9 * (1 + std::fabs(a.slope)))
          << to_call(expr) << " -> " << to_call(*other_expr) << " at " << x;
    }
  }
  EXPECT_GT(compared, 50000);
}

TEST(Canonical, IsAFixedPoint) {
  Random random(12);
  for (int i = 0; i < 20000; ++i) {
    const Expr expr = random_expr(random, 1 + random.below(15));
    const auto once = simplified(expr);
    if (!once) continue;
    const auto twice = simplified(*once);
    EXPECT_EQ(canonical(expr).hash(), canonical(*once).hash())
        << to_call(expr) << " -> " << to_call(*once) << " -> " << to_call(*twice);
  }
}

}  // namespace
}  // namespace actforge
