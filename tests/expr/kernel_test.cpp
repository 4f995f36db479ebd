// The float32 kernels against the double-precision reference, on every instruction set that this machine has.
#include "actforge/expr/kernels/kernel.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <bit>
#include <cmath>
#include <limits>

#include "actforge/base/error.h"
#include "actforge/expr/kernels/simd_kernels.h"
#include "actforge/expr/language/graph.h"
#include "actforge/expr/language/parse.h"
#include "actforge/expr/language/print.h"
#include "actforge/expr/language/reference.h"
#include "tests/expr/random_expr.h"

namespace actforge {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

class OnEveryTarget : public testing::TestWithParam<std::string_view> {
 protected:
  std::vector<float> forward(const Kernel& kernel, const std::vector<float>& x) {
    std::vector<float> y(x.size());
    kernel.forward({.x = x, .y = y});
    return y;
  }
  std::vector<float> slopes(const Kernel& kernel, const std::vector<float>& x) {
    std::vector<float> ones(x.size(), 1), dx(x.size());
    kernel.backward({.x = x, .grad_y = ones, .grad_x = dx});
    return dx;
  }
};

INSTANTIATE_TEST_SUITE_P(Kernel, OnEveryTarget, testing::ValuesIn(Kernel::targets()),
                         [](const auto& suite) { return std::string(suite.param); });

std::vector<float> grid() {
  std::vector<float> x;
  for (int i = -100000; i <= 100000; ++i) x.push_back(static_cast<float>(i) * 1e-4f);
  for (float small = 1e-6f; small < 0.1f; small *= 1.07f) x.insert(x.end(), {small, -small});
  return x;
}

// 1e-6 relative or 1e-7 absolute.
void expect_close(double got, double wanted, const std::string& what) {
  if (!std::isfinite(wanted) || std::fabs(wanted) > std::numeric_limits<float>::max()) return;
  EXPECT_LE(std::fabs(got - wanted), std::max(1e-7, 1e-6 * std::fabs(wanted)))
      << what << ": " << got << " instead of " << wanted;
}

// Kernels are found by the names of their operators; what the canonical form writes otherwise needs none.
TEST(Kernel, EveryOperatorHasOne) {
  for (const KernelTable& table : kernel_tables()) {
    for (const OpInfo& row : op_table()) {
      const bool is_rewritten = row.op == Op::kZero || row.op == Op::kOne || row.op == Op::kIdentity ||
                                row.arity == kVariadic || !row.definition.empty();
      const auto at = static_cast<std::size_t>(row.op);
      EXPECT_EQ(table.value[at] != nullptr, !is_rewritten && row.arity == 1) << row.name;
      EXPECT_EQ(table.both[at] != nullptr, !is_rewritten && row.arity == 1) << row.name;
      EXPECT_EQ(table.value2[at] != nullptr, row.arity == 2) << row.name;
      EXPECT_EQ(table.cost[at] > 0, !is_rewritten) << row.name;
      // Sums pass their adjoints on as they are.
      const bool is_sum = row.op == Op::kAdd || row.op == Op::kSub;
      EXPECT_EQ(table.plain.pull2[at] != nullptr, row.arity == 2 && !is_sum) << row.name;
    }
  }
}

TEST_P(OnEveryTarget, UnaryOperatorsAreAccurate) {
  const std::vector<float> x = grid();
  for (const OpInfo& info : op_table()) {
    if (info.arity != 1 || info.value == nullptr) continue;
    const Kernel kernel(parse(std::string(info.name) + "(x)"), GetParam());
    const std::vector<float> y = forward(kernel, x), dx = slopes(kernel, x);
    double worst = 0, worst_slope = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      bool near_break = false;
      // Where x itself is known to half a unit in the last place only, so is the function: |f'(x) x| 2^-24 is its
      // condition.
      for (const Break& b : info.breaks) near_break = near_break || std::fabs(x[i] - b.at) < 1e-5;
      const double value = info.value(x[i]), slope = info.slope(x[i]);
      if (near_break || HasFailure()) continue;
      const std::string where = std::string(info.name) + " at " + std::to_string(x[i]);
      expect_close(y[i], value, where);
      expect_close(dx[i], slope, "slope of " + where);
      if (std::isfinite(value)) worst = std::max(worst, std::fabs(y[i] - value) / std::max(std::fabs(value), 0.1));
      if (std::isfinite(slope))
        worst_slope = std::max(worst_slope, std::fabs(dx[i] - slope) / std::max(std::fabs(slope), 0.1));
    }
    RecordProperty(std::string(info.name), std::to_string(worst) + " " + std::to_string(worst_slope));
  }
}

TEST_P(OnEveryTarget, BinaryOperatorsAreAccurate) {
  // The second argument varies with x through an exact function.
  std::vector<float> x;
  for (int i = 1; i <= 20000; ++i) x.push_back(static_cast<float>(i) * 0.0005f);
  for (const OpInfo& info : op_table()) {
    if (info.arity == 1) continue;
    for (const char* second : {"sub(2.25,x)", "negative(x)", "mul(0.5,x)", "3", "-2", "0.5"}) {
      const Expr expr = parse(std::string(info.name) + "(x," + second + ")");
      const Kernel kernel(expr, GetParam());
      const Reference reference(expr);
      const std::vector<float> y = forward(kernel, x), dx = slopes(kernel, x);
      for (std::size_t i = 0; i < x.size() && !HasFailure(); ++i) {
        // sub(2.25, x) is rounded in float, which a quotient near its pole or a^b for large exponents magnifies.
        if (second == std::string_view("sub(2.25,x)") && std::fabs(x[i] - 2.25) < 0.5) continue;
        const auto [value, slope] = reference.at(x[i]);
        const std::string where = to_call(expr) + " at " + std::to_string(x[i]);
        if (info.op == Op::kDivEps && x[i] < 0.1f) continue;  // its shares cancel to a ten-thousandth there
        const bool is_power = info.op == Op::kPow && second == std::string_view("sub(2.25,x)");
        if (is_power) {
          EXPECT_LE(std::fabs(y[i] - value), 3e-6 * std::fabs(value) + 1e-7) << where;
        } else {
          expect_close(y[i], value, where);
          // The two shares may cancel.
          EXPECT_LE(std::fabs(dx[i] - slope), 3e-6 * (1 + std::fabs(slope))) << where;
        }
      }
    }
  }
}

TEST_P(OnEveryTarget, SpecialValuesAreThoseOfTheReference) {
  const std::vector<float> x = {0.0f, -0.0f, kInf,   -kInf, kNan, 1,      -1,      1e30f, -1e30f, 200,
                                -200, 88.8f, -88.8f, -104,  104,  1e-30f, -1e-30f, 2.5f,  -2.5f};
  for (const OpInfo& info : op_table()) {
    if (info.arity != 1 || info.value == nullptr) continue;
    const std::vector<float> y = forward(Kernel(parse(std::string(info.name) + "(x)"), GetParam()), x);
    for (std::size_t i = 0; i < x.size(); ++i) {
      // The kernels' sine and cosine stop at 39000.
      if ((info.op == Op::kSin || info.op == Op::kCos) && std::fabs(x[i]) > 39000) {
        EXPECT_TRUE(std::isnan(y[i])) << info.name << " at " << x[i];
        continue;
      }
      const double wanted = info.value(x[i]);
      const std::string where = std::string(info.name) + " at " + std::to_string(x[i]);
      if (std::isnan(wanted)) {
        EXPECT_TRUE(std::isnan(y[i])) << where << " gives " << y[i];
      } else if (std::fabs(wanted) > std::numeric_limits<float>::max()) {
        EXPECT_EQ(y[i], wanted > 0 ? kInf : -kInf) << where;
      } else {
        EXPECT_NEAR(y[i], wanted, 1e-7 + 3e-6 * std::fabs(wanted)) << where;
      }
    }
  }
}

TEST_P(OnEveryTarget, SlopesAreFiniteWhereTheReferenceIs) {
  const std::vector<float> x = {0.0f, -0.0f, kInf, -kInf, 1, -1, 1e30f, -1e30f, 200, -200, 1e-30f, -1e-30f};
  for (const OpInfo& info : op_table()) {
    if (info.arity != 1 || info.value == nullptr || info.op == Op::kSin || info.op == Op::kCos) continue;
    const std::vector<float> dx = slopes(Kernel(parse(std::string(info.name) + "(x)"), GetParam()), x);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double wanted = info.slope(x[i]);
      if (!std::isfinite(wanted) || std::fabs(wanted) > 1e38) continue;
      if (info.op == Op::kSinc && std::fabs(x[i]) > 39000) continue;
      EXPECT_NEAR(dx[i], wanted, 1e-7 + 3e-6 * std::fabs(wanted)) << info.name << " at " << x[i];
    }
  }
}

TEST_P(OnEveryTarget, PowerHandlesEveryCorner) {
  const std::vector<float> bases = {0.0f, -0.0f, 1, -1, 2, -2, 0.5f, -0.5f, kInf, -kInf, kNan, 1e-20f, -1e20f};
  const std::vector<float> exponents = {0.0f, -0.0f, 1,    -1,    3,    -3,          4,
                                        0.5f, -0.5f, kInf, -kInf, kNan, 16777215.0f, 1e10f};
  for (const float exponent : exponents) {
    ExprBuilder builder;
    const NodeId children[] = {builder.input(), builder.constant(exponent)};
    builder.apply(Op::kPow, children);
    const std::vector<float> y = forward(Kernel(builder.finish(), GetParam()), bases);
    for (std::size_t i = 0; i < bases.size(); ++i) {
      const float wanted = std::pow(bases[i], exponent);
      const std::string where = std::to_string(bases[i]) + "^" + std::to_string(exponent);
      if (std::isnan(wanted)) {
        EXPECT_TRUE(std::isnan(y[i])) << where << " gives " << y[i];
      } else {
        if (std::isinf(wanted)) {
          EXPECT_EQ(y[i], wanted) << where;  // FLOAT_EQ would take the largest float for infinity
        } else {
          EXPECT_FLOAT_EQ(y[i], wanted) << where;
        }
        EXPECT_EQ(std::signbit(y[i]), std::signbit(wanted)) << where;
      }
    }
  }
}

// Any expression, every length: the blocks, the padded end, the sharing of registers. Compared where it is well
// conditioned: where the reference moves little when x and all constants move by a rounding error is not easy to say
// for a random expression, so the oracle is the same expression in float, operator by operator.
TEST_P(OnEveryTarget, RandomExpressionsAgreeWithOneOperatorAtATime) {
  Random random(5);
  for (int round = 0; round < 300; ++round) {
    const Expr expr = canonical(random_expr(random, 2 + random.below(12))).to_expr();
    const std::size_t n = 1 + random.below(3000);
    std::vector<float> x(n);
    for (float& v : x) v = static_cast<float>(2 * random.normal());
    const std::vector<float> y = forward(Kernel(expr, GetParam()), x);
    // Each node by a kernel of its own.
    std::vector<std::vector<float>> made;
    for (NodeId id = 0; id < expr.nodes().size(); ++id) {
      const Node& node = expr.node(id);
      const auto children = expr.children(id);
      if (node.kind == NodeKind::kInput) made.push_back(x);
      if (node.kind == NodeKind::kConstant) made.emplace_back(n, static_cast<float>(node.constant));
      if (node.kind == NodeKind::kParameter) {
        made.push_back(made[children[0]]);
        for (float& v : made.back()) v *= static_cast<float>(expr.parameter(node.parameter).initial);
      }
      if (node.kind != NodeKind::kOperator) continue;
      const OpInfo& info = op_info(node.op);
      made.push_back(made[children[0]]);
      if (info.arity == 1)
        made.back() = forward(Kernel(parse(std::string(info.name) + "(x)"), GetParam()), made[children[0]]);
      for (std::size_t k = 1; k < children.size(); ++k) {
        for (std::size_t i = 0; i < n; ++i) {
          made.back()[i] = static_cast<float>(info.value2(made.back()[i], made[children[k]][i]));
        }
      }
    }
    for (std::size_t i = 0; i < n; ++i) {
      const float wanted = made.back()[i];
      if (std::isnan(wanted)) {
        ASSERT_TRUE(std::isnan(y[i])) << to_call(expr) << " at " << x[i];
      } else if (std::isfinite(wanted) && expr.nodes().size() < 8) {
        ASSERT_NEAR(y[i], wanted, 1e-4 * std::fabs(wanted) + 1e-5) << to_call(expr) << " at " << x[i];
      }
    }
  }
}

TEST_P(OnEveryTarget, GradientsOfExpressionsAgreeWithTheReference) {
  const char* expressions[] = {
      "mul(log_sigmoid(alpha(x)),beta(arcsinh(x)))",
      "sub(alpha(x),beta(log_sigmoid(gamma(x))))",
      "max(swish(x),alpha(log_sigmoid(relu(x))))",
      "min(swish(x),alpha(elu(relu(beta(x)))))",
      "mul(relu(alpha(arcsinh(beta(sigmoid(x))))),selu(gamma(x)))",
      "mul(alpha(swish(x)),cosh(beta(1)))",
      "mul(swish(x),erfc(bessel_i0e(x)))",
      "selu(sinh(expm1(arctan(x))))",
      "sum_n(x,mul(x,tanh(x)),square(x),alpha(exp(negative(square(x)))))",
      "prod_n(sigmoid(x),x,tanh(x),beta(cos(x)))",
      "max_n(x,alpha(tanh(x)),0.25,min_n(1,x,square(x)))",
      "div(x,add(1,alpha(square(x))))",
      "div_no_nan(sinh(x),alpha(cosh(x)))",
      "pow(add(1.5,alpha(sigmoid(x))),beta(x))",
      "apl(x)",
      "pau(x)",
      "splash(x)",
      "prelu(pswish(prelu(x)))",
      "sqrt(relu(x))",
      "alpha(1)",
      "7",
      "x",
      "negative(alpha(beta(x)))",
  };
  std::vector<float> x;
  for (int i = 0; i < 1237; ++i) x.push_back(static_cast<float>(-5.93 + i * 0.0096));
  for (const char* text : expressions) {
    const Expr expr = parse(text);
    const Kernel kernel(expr, GetParam());
    Reference reference(expr);
    const std::size_t count = kernel.parameters().size();
    std::vector<float> values(count), gradients(count);
    std::vector<ParameterView> views;
    std::vector<float*> outputs;
    for (std::size_t k = 0; k < count; ++k) {
      values[k] = static_cast<float>(0.6 + 0.17 * static_cast<double>(k % 5));
      reference.set_parameter(k, values[k]);
      views.push_back({.values = &values[k]});
      outputs.push_back(&gradients[k]);
    }
    std::vector<float> weights(x.size()), dx(x.size()), y(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) weights[i] = 0.5f + static_cast<float>(i % 7) / 7;
    kernel.forward({.x = x, .y = y, .parameters = views});
    kernel.backward({.x = x, .grad_y = weights, .grad_x = dx, .parameters = views, .parameter_gradients = outputs});
    std::vector<double> totals(count), scale(count, 1);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const auto [value, slope] = reference.at(x[i]);
      EXPECT_NEAR(y[i], value, 2e-6 * (1 + std::fabs(value))) << text << " at " << x[i];
      EXPECT_NEAR(dx[i], slope * weights[i], 1e-5 * (1 + std::fabs(slope))) << text << " at " << x[i];
      for (std::size_t k = 0; k < count; ++k) {
        const double share = reference.at(x[i], k).slope * weights[i];
        totals[k] += share;
        scale[k] += std::fabs(share);
      }
    }
    for (std::size_t k = 0; k < count; ++k)
      EXPECT_NEAR(gradients[k], totals[k], 1e-5 * scale[k]) << text << " parameter " << k;
  }
}

// Where a function has saturated for good, its slope is 0, not merely small: an outer slope may be huge.
TEST_P(OnEveryTarget, SaturatedSlopesAreZero) {
  const std::pair<const char*, float> cases[] = {
      {"tanh(exp(x))", 40},
      {"tanh(exp(exp(x)))", 5},
      {"sigmoid(exp(x))", 100},
      {"tanh(reciprocal(x))", 1e-10f},
      {"erf(sinh(x))", 60},
      {"gauss(cosh(x))", 80},
      {"softplus(negative(exp(x)))", 50},
      {"elu(negative(exp(x)))", 70},
      {"tanh(sinh(cosh(x)))", 5},
      {"min(exp(x),5)", 100},
      {"sqrt(square(x))", 0},
      {"sqrt(mul(x,relu(x)))", -1},
      {"sqrt(alpha(relu(x)))", -1},
      {"sqrt(splash(x))", -2},
      {"swish(negative(exp(x)))", 30},
      {"selu(negative(exp(x)))", 30},
  };
  for (const auto& [text, x] : cases) {
    EXPECT_EQ(slopes(Kernel(parse(text), GetParam()), {x})[0], 0) << text << " at " << x;
    EXPECT_EQ(Reference(parse(text)).at(x).slope, 0) << text << " at " << x;
  }
  // One dead element must not spoil the parameter's gradient.
  const Kernel kernel(parse("sqrt(alpha(relu(x)))"), GetParam());
  const std::vector<float> x = {2, -1, 0.5f}, ones(3, 1);
  std::vector<float> dx(3);
  float gradient = 0;
  float* outputs[] = {&gradient};
  kernel.backward({.x = x, .grad_y = ones, .grad_x = dx, .parameter_gradients = outputs});
  EXPECT_NEAR(gradient, (std::sqrt(2) + std::sqrt(0.5)) / 2, 1e-6);
}

// Random trees, larger than any in the list above, against forward-mode differentiation in double precision. A tree is
// judged where it is well conditioned: where moving x by a rounding error, or evaluating in float, hardly changes
// slope.
TEST_P(OnEveryTarget, RandomGradientsAgreeWithTheReference) {
  Random random(17);
  int compared = 0, wrong = 0;
  std::string first_wrong;
  for (int round = 0; round < 3000; ++round) {
    const Expr expr = random_expr(random, 2 + random.below(14));
    const Kernel kernel(expr, GetParam());
    const Reference reference(expr);
    std::vector<float> x(37);
    for (float& v : x) v = static_cast<float>(1.5 * random.normal());
    const std::vector<float> y = forward(kernel, x), dx = slopes(kernel, x);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const auto [value, slope] = reference.at(x[i]);
      const double h = 1e-5;
      const auto left = reference.at(x[i] - h), right = reference.at(x[i] + h);
      const double wobble = std::fabs(left.slope - slope) + std::fabs(right.slope - slope) +
                            std::fabs(left.value - value) + std::fabs(right.value - value);
      const double size = 1 + std::fabs(value) + std::fabs(slope);
      if (!std::isfinite(wobble) || !(size < 1e4) || wobble > 1e-3) continue;
      ++compared;
      const bool good = std::fabs(y[i] - value) <= 2e-3 * size && std::fabs(dx[i] - slope) <= 2e-3 * size;
      if (!good && first_wrong.empty()) first_wrong = to_call(expr) + " at " + std::to_string(x[i]);
      wrong += good ? 0 : 1;
    }
  }
  EXPECT_GT(compared, 50000);
  // What x alone does not show: arctanh(x/(x+1e-7)) sits in float's last digit before its pole.
  EXPECT_LT(wrong, compared / 500) << first_wrong;
}

// Per layer, channel (first and last) and neuron, over odd sizes, in two parts with an offset, against a plain loop.
TEST_P(OnEveryTarget, ParameterLayouts) {
  const Expr expr = parse("tanh(alpha(x))*beta*x + gamma*x");
  const Kernel kernel(expr, GetParam());
  constexpr std::size_t kBatch = 5, kChannels = 7, kInner = 93, kAll = kBatch * kChannels * kInner;
  struct Layout {
    std::size_t count, inner;
  };
  for (const Layout layout :
       {Layout{1, 1}, Layout{kChannels, kInner}, Layout{kChannels, 1}, Layout{kChannels * kInner, 1}}) {
    Random random(9);
    std::vector<float> x(kAll), g(kAll), y(kAll), dx(kAll);
    for (float& v : x) v = static_cast<float>(random.normal());
    for (float& v : g) v = static_cast<float>(random.normal());
    std::vector<std::vector<float>> values(3, std::vector<float>(layout.count)), gradients = values;
    for (auto& list : values) {
      for (float& v : list) v = static_cast<float>(random.normal());
    }
    std::vector<ParameterView> views;
    std::vector<float*> outputs;
    for (int k = 0; k < 3; ++k) {
      views.push_back({.values = values[k].data(), .count = layout.count, .inner = layout.inner});
      outputs.push_back(gradients[k].data());
    }
    const std::size_t cut = 1003;
    for (const auto& [from, length] : {std::pair<std::size_t, std::size_t>{0, cut}, {cut, kAll - cut}}) {
      const std::span<const float> part(x.data() + from, length), part_g(g.data() + from, length);
      kernel.forward({.x = part, .y = std::span(y).subspan(from, length), .parameters = views, .offset = from});
      kernel.backward({.x = part,
                       .grad_y = part_g,
                       .grad_x = std::span(dx).subspan(from, length),
                       .parameters = views,
                       .parameter_gradients = outputs,
                       .offset = from});
    }
    std::vector<std::vector<double>> wanted(3, std::vector<double>(layout.count));
    for (std::size_t i = 0; i < kAll; ++i) {
      const std::size_t j = i / layout.inner % layout.count;
      const double a = values[0][j], b = values[1][j], c = values[2][j], t = std::tanh(a * x[i]);
      EXPECT_NEAR(y[i], t * b * x[i] + c * x[i], 2e-6 * (1 + std::fabs(t * b * x[i]) + std::fabs(c * x[i])));
      EXPECT_NEAR(dx[i], g[i] * (t * b + (1 - t * t) * a * b * x[i] + c), 1e-5 * (1 + std::fabs(g[i]) * 10));
      wanted[0][j] += g[i] * (1 - t * t) * x[i] * b * x[i];
      wanted[1][j] += g[i] * t * x[i];
      wanted[2][j] += g[i] * x[i];
    }
    for (int k = 0; k < 3; ++k) {
      for (std::size_t j = 0; j < layout.count; ++j)
        EXPECT_NEAR(gradients[k][j], wanted[k][j], 1e-4 * (1 + std::fabs(wanted[k][j])));
    }
  }
}

TEST_P(OnEveryTarget, WorksInPlace) {
  const Kernel kernel(parse("x*tanh(x) + sigmoid(x)*x"), GetParam());
  std::vector<float> x(1001), y(1001), g(1001), dx(1001);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i) * 0.01f - 5, g[i] = 1 + x[i];
  kernel.forward({.x = x, .y = y});
  kernel.backward({.x = x, .grad_y = g, .grad_x = dx});
  std::vector<float> same = x;
  kernel.forward({.x = same, .y = same});
  EXPECT_EQ(same, y);
  kernel.backward({.x = x, .grad_y = g, .grad_x = g});
  EXPECT_EQ(g, dx);
}

TEST_P(OnEveryTarget, NothingIsWrittenBeyondTheEnd) {
  const Kernel kernel(parse("x*tanh(x)"), GetParam());
  for (std::size_t n = 0; n < 70; ++n) {
    std::vector<float> x(n + 8, 1), y(n + 8, 42);
    kernel.forward({.x = std::span(x).first(n), .y = std::span(y).first(n)});
    for (std::size_t i = n; i < n + 8; ++i) ASSERT_EQ(y[i], 42);
    std::ranges::fill(y, 42.0f);
    kernel.backward({.x = std::span(x).first(n), .grad_y = std::span(x).first(n), .grad_x = std::span(y).first(n)});
    for (std::size_t i = n; i < n + 8; ++i) ASSERT_EQ(y[i], 42);
  }
}

// Whatever the expression: x, the gradient and the output, and a few blocks of scratch.
TEST(KernelMemory, NothingIsKeptForTheBackwardPass) {
  const auto peak_kb = [] {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
  };
  const Kernel kernel(parse("swish(x)*erfc(bessel_i0e(x)) + alpha*tanh(x)*beta*exp(negative(square(x)))"));
  std::vector<float> x(8 << 20, 0.5f), y(x.size(), 1.0f), dx(x.size(), 1.0f), gradients(2);
  float* outputs[] = {&gradients[0], &gradients[1]};
  const long before = peak_kb();
  kernel.forward({.x = x, .y = y});
  kernel.backward({.x = x, .grad_y = y, .grad_x = dx, .parameter_gradients = outputs});
  EXPECT_LT(peak_kb() - before, 2048);  // one more tensor would be 32768
}

TEST(KernelErrors, AreHelpful) {
  EXPECT_THROW(Kernel(parse("x"), "MMX"), Error);
  const Kernel kernel(parse("alpha*x"));
  std::vector<float> x(8), y(7);
  EXPECT_THROW(kernel.forward({.x = x, .y = y}), Error);
  y.resize(8);
  const ParameterView views[2] = {};
  EXPECT_THROW(kernel.forward({.x = x, .y = y, .parameters = views}), Error);
  EXPECT_THROW(kernel.forward({.x = x, .y = y, .parameters = std::span(views).first(1)}), Error);
}

}  // namespace
}  // namespace actforge
