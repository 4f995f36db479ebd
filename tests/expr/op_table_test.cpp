// Walks the operator table: whatever is true of all operators is tested here, without anyone remembering.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "actforge/expr/language/graph.h"
#include "actforge/expr/language/parse.h"
#include "actforge/expr/language/reference.h"
#include "actforge/expr/ops/op.h"

namespace actforge {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

double value(const char* text, double x) { return Reference(parse(text)).value(x); }

TEST(OpTable, HasTheOperatorsOfTheDissertation) {
  EXPECT_EQ(pangaea_unary().size(), 27u);
  EXPECT_EQ(pangaea_binary().size(), 7u);
  EXPECT_EQ(cafe_unary().size(), 24u);
  EXPECT_EQ(cafe_binary().size(), 6u);
  for (const auto list : {pangaea_unary(), pangaea_binary(), cafe_unary(), cafe_binary()}) {
    EXPECT_EQ(std::set<Op>(list.begin(), list.end()).size(), list.size());
  }
  for (const char* name : {"relu",    "elish",    "elu",      "gelu",   "hard_sigmoid", "leaky_relu", "mish",   "selu",
                           "sigmoid", "softplus", "softsign", "swish",  "tanh",         "prelu",      "pswish", "apl",
                           "pau",     "splash",   "sum_n",    "prod_n", "max_n",        "min_n",      "arctanh"}) {
    EXPECT_NE(find_op(name), nullptr) << name;
  }
  EXPECT_EQ(find_op("nonsense"), nullptr);
}

TEST(OpTable, NamesAreUnique) {
  EXPECT_EQ(std::set<std::string_view>(op_names().begin(), op_names().end()).size(), op_table().size());
}

// What a row must say, and nothing else does.
TEST(OpTable, RowsAreWhole) {
  for (const OpInfo& row : op_table()) {
    EXPECT_FALSE(row.name.empty() || row.summary.empty()) << row.name;
    const bool unary = row.definition.empty() && row.arity == 1, binary = row.definition.empty() && row.arity != 1;
    EXPECT_EQ(row.value != nullptr, unary) << row.name;
    EXPECT_EQ(row.slope != nullptr, unary) << row.name;
    EXPECT_EQ(row.value2 != nullptr, binary) << row.name;
    EXPECT_EQ(row.slope2 != nullptr, binary) << row.name;
    EXPECT_EQ(&op_info(row.op), &row);
  }
  EXPECT_LE(op_table().size(), kMostOps);
}

bool is_infinite(double y) { return std::fabs(y) > std::numeric_limits<float>::max(); }

TEST(OpTable, RowsTellWhatCanBeInfinite) {
  std::vector<double> arguments = {0, -kEpsilon, 1, -1, 0x1p-70};
  for (int k = -10; k <= 20; ++k) arguments.insert(arguments.end(), {std::ldexp(1, k), -std::ldexp(1, k)});
  for (const OpInfo& row : op_table()) {
    if (!row.definition.empty() || row.arity == kVariadic) continue;
    bool found = false;
    for (const double a : arguments) {
      if (row.arity == 1) found = found || is_infinite(row.value(a)) || is_infinite(row.slope(a));
      for (const double b : arguments) {
        if (row.arity == 1) break;
        const Slopes slopes = row.slope2(a, b);
        found = found || is_infinite(row.value2(a, b)) || is_infinite(slopes.first) || is_infinite(slopes.second);
      }
    }
    EXPECT_EQ(row.can_be_infinite, found) << row.name;
  }
}

// Curved near 0, hardly so far out to one side, and without a pole.
TEST(OpTable, RowsTellWhatBends) {
  for (const OpInfo& row : op_table()) {
    if (row.arity != 1 || row.value == nullptr || row.bends) continue;
    const auto is_pole = [](const Break& b) { return b.order == 0; };
    if (std::ranges::any_of(row.breaks, is_pole) || std::isnan(row.slope(35))) continue;
    const auto turn = [&](double x) { return std::fabs(row.slope(x + 0.5) - row.slope(x)); };
    const bool is_curved = turn(0.25) > 1e-2 || turn(-0.75) > 1e-2, is_straight = turn(34) < 2e-3 || turn(-35) < 2e-3;
    EXPECT_FALSE(is_curved && is_straight) << row.name;
  }
}

// Central differences, at points that keep clear of the breaks.
TEST(OpTable, UnarySlopesAreDerivatives) {
  for (const OpInfo& info : op_table()) {
    if (info.arity != 1 || info.value == nullptr) continue;
    for (double x = -9.93; x < 10; x += 0.171) {
      bool near_break = false;
      for (const Break& b : info.breaks) near_break = near_break || std::fabs(x - b.at) < 1e-2;
      if (near_break || !std::isfinite(info.value(x))) continue;
      const double h = 1e-5 * (1 + std::fabs(x));
      const double numeric =
          (info.value(x - 2 * h) - 8 * info.value(x - h) + 8 * info.value(x + h) - info.value(x + 2 * h)) / (12 * h);
      if (!std::isfinite(numeric)) continue;
      EXPECT_NEAR(info.slope(x), numeric, 1e-8 * (1 + std::fabs(info.value(x)) + std::fabs(numeric)))
          << info.name << " at " << x;
    }
  }
}

TEST(OpTable, BinarySlopesAreDerivatives) {
  for (const OpInfo& info : op_table()) {
    if (info.arity == 1 || info.value2 == nullptr) continue;
    for (double a = 0.31; a < 4; a += 0.47) {
      for (double b = -3.2; b < 4; b += 0.53) {
        const double h = 1e-6;
        const Slopes slopes = info.slope2(a, b);
        const double first = (info.value2(a + h, b) - info.value2(a - h, b)) / (2 * h);
        const double second = (info.value2(a, b + h) - info.value2(a, b - h)) / (2 * h);
        EXPECT_NEAR(slopes.first, first, 1e-6 * (1 + std::fabs(first))) << info.name << " at " << a << ", " << b;
        EXPECT_NEAR(slopes.second, second, 1e-6 * (1 + std::fabs(second))) << info.name << " at " << a << ", " << b;
      }
    }
  }
}

TEST(OpTable, ParityAndSignAreAsStated) {
  for (const OpInfo& info : op_table()) {
    if (info.arity != 1 || info.value == nullptr) continue;
    for (double x = 0; x < 12; x += 0.0625) {
      const double at = info.value(x), mirrored = info.value(-x);
      if (info.parity == Parity::kEven && !std::isnan(at)) {
        EXPECT_EQ(at, mirrored) << info.name << " at " << x;
      }
      if (info.parity == Parity::kOdd && !std::isnan(at)) {
        EXPECT_EQ(at, -mirrored) << info.name << " at " << x;
      }
      if (info.nonnegative) {
        EXPECT_TRUE(!std::signbit(at) && !std::signbit(mirrored)) << info.name << " at " << x;
      }
    }
  }
}

TEST(OpTable, NanStaysNan) {
  for (const OpInfo& info : op_table()) {
    if (info.arity == 1 && info.value != nullptr && info.op != Op::kZero && info.op != Op::kOne) {
      EXPECT_TRUE(std::isnan(info.value(kNan))) << info.name;
    }
    if (info.arity == 2 && info.op != Op::kPow) {
      EXPECT_TRUE(std::isnan(info.value2(kNan, 1.5)) && std::isnan(info.value2(1.5, kNan))) << info.name;
    }
  }
}

TEST(OpTable, SpecialValues) {
  EXPECT_EQ(value("log_sigmoid(x)", -200), -200);
  EXPECT_EQ(value("log_sigmoid(x)", -1e300), -1e300);
  EXPECT_EQ(value("log_sigmoid(x)", -kInf), -kInf);
  EXPECT_EQ(value("log_sigmoid(x)", kInf), 0);
  EXPECT_EQ(value("softplus(x)", 1000), 1000);
  EXPECT_EQ(value("softplus(x)", -kInf), 0);
  for (const char* gate : {"swish(x)", "gelu(x)", "mish(x)", "elish(x)"}) {
    EXPECT_EQ(value(gate, -kInf), gate == std::string("elish(x)") ? -0.0 : 0) << gate;
    EXPECT_EQ(value(gate, kInf), kInf) << gate;
    EXPECT_EQ(value(gate, 0), 0) << gate;
  }
  EXPECT_EQ(value("softsign(x)", kInf), 1);
  EXPECT_EQ(value("softsign(x)", -kInf), -1);
  EXPECT_EQ(value("reciprocal(x)", 0.0), kInf);
  EXPECT_EQ(value("reciprocal(x)", -0.0), -kInf);
  EXPECT_EQ(value("bessel_i0e(x)", kInf), 0);
  EXPECT_EQ(value("bessel_i1e(x)", -kInf), 0);
  EXPECT_EQ(value("sinc(x)", 0), 1);
  EXPECT_EQ(value("sinc(x)", kInf), 0);
  EXPECT_TRUE(std::isnan(value("sin(x)", kInf)));
  EXPECT_TRUE(std::isnan(value("sqrt(x)", -1e-300)));
  EXPECT_EQ(value("arctanh(x)", 1), kInf);
  EXPECT_TRUE(std::isnan(value("arctanh(x)", 1.0001)));
  EXPECT_EQ(value("log_abs_eps(x)", -1e-7), -kInf);
  EXPECT_EQ(value("zero(x)", kNan), 0);
}

TEST(OpTable, ThreeDivisionsDiffer) {
  EXPECT_EQ(value("div(1,x)", 0), kInf);
  EXPECT_TRUE(std::isnan(value("div(x,x)", 0)));
  EXPECT_EQ(value("div_no_nan(1,x)", 0), 0);
  EXPECT_EQ(value("div_no_nan(x,x)", 0), 0);
  EXPECT_EQ(value("div_no_nan(x,x)", 3), 1);
  EXPECT_EQ(value("div_eps(1,x)", 0), 1 / 1e-7);
  EXPECT_EQ(value("div_eps(1,x)", -1e-7), kInf);
}

TEST(OpTable, PowerFollowsIeee) {
  EXPECT_TRUE(std::isnan(value("pow(x,0.5)", -2)));
  EXPECT_EQ(value("pow(x,3)", -2), -8);
  EXPECT_EQ(value("pow(x,0)", kNan), 1);
  EXPECT_EQ(value("pow(1,x)", kNan), 1);
  EXPECT_EQ(value("pow(x,-1)", -0.0), -kInf);
  EXPECT_EQ(value("pow(-1,x)", kInf), 1);
  EXPECT_EQ(Reference(parse("pow(-2,x)")).at(2).slope, 0);
}

TEST(OpTable, NamedFunctionsMatchTheirFormulas) {
  // Independent transcriptions of section "Baseline Activation Function Details".
  for (double x = -6; x <= 6; x += 0.37) {
    const double s = 1 / (1 + std::exp(-x));
    EXPECT_NEAR(value("elish(x)", x), x >= 0 ? x * s : (std::exp(x) - 1) * s, 1e-14);
    EXPECT_NEAR(value("gelu(x)", x), 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x))),
                1e-14);
    EXPECT_NEAR(value("mish(x)", x), x * std::tanh(std::log(1 + std::exp(x))), 1e-14);
    EXPECT_NEAR(value("leaky_relu(x)", x), x >= 0 ? x : 0.01 * x, 1e-15);
    EXPECT_NEAR(value("prelu(x)", x), x >= 0 ? x : 0.25 * x, 1e-15);
    EXPECT_NEAR(value("pswish(x)", x), x * s, 1e-15);
    EXPECT_NEAR(value("apl(x)", x), std::max(x, 0.0), 1e-15);     // all a start at 0
    EXPECT_NEAR(value("splash(x)", x), std::max(x, 0.0), 1e-15);  // a+_1 = 1, the rest 0
    const double a[] = {0.02979246, 0.61837738, 2.32335207, 3.05202660, 1.48548002, 0.25103717};
    const double b[] = {1.14201226, 4.39322834, 0.87154450, 0.34720652};
    double top = 0, bottom = 0;
    for (int i = 0; i < 6; ++i) top += a[i] * std::pow(x, i);
    for (int i = 0; i < 4; ++i) bottom += b[i] * std::pow(x, i + 1);
    EXPECT_NEAR(value("pau(x)", x), top / (1 + std::fabs(bottom)), 1e-12);
  }
}

TEST(OpTable, LearnableFunctionsHaveTheirParameters) {
  const auto parameters = [](const char* text) { return all_parameters(parse(text)); };
  ASSERT_EQ(parameters("prelu(x)").size(), 1u);
  EXPECT_EQ(parameters("prelu(x)")[0], (Parameter{.index = 0, .initial = 0.25, .scope = Scope::kNeuron}));
  ASSERT_EQ(parameters("pswish(x)").size(), 1u);
  EXPECT_EQ(parameters("pswish(x)")[0], (Parameter{.index = 0, .initial = 1, .scope = Scope::kChannel}));
  EXPECT_EQ(parameters("apl(x)").size(), 14u);
  EXPECT_EQ(parameters("apl(x)")[0].scope, Scope::kNeuron);
  EXPECT_EQ(parameters("pau(x)").size(), 10u);
  EXPECT_EQ(parameters("pau(x)")[0].scope, Scope::kLayer);
  EXPECT_EQ(parameters("splash(x)").size(), 8u);
  // Each use has parameters of its own, after the expression's.
  const auto nested = parameters("alpha(prelu(prelu(x)))");
  ASSERT_EQ(nested.size(), 3u);
  EXPECT_EQ(nested[2].index, 2u);
}

// The learnable parts of APL and SPLASH, checked away from their initial values.
TEST(OpTable, LearnableFunctionsUseTheirParameters) {
  Reference apl(parse("apl(x)")), splash(parse("splash(x)"));
  for (std::size_t i = 0; i < 7; ++i)
    apl.set_parameter(i, 0.1 * (static_cast<double>(i) + 1)),
        apl.set_parameter(7 + i, 0.3 * static_cast<double>(i) - 1);
  for (std::size_t i = 0; i < 8; ++i) splash.set_parameter(i, 0.2 * static_cast<double>(i) - 0.7);
  const double hinges[] = {0, 1, 2, 2.5};
  for (double x = -4; x <= 4; x += 0.3) {
    double a = std::max(0.0, x), s = 0;
    for (int i = 0; i < 7; ++i) a += 0.1 * (i + 1) * std::max(0.0, -x + 0.3 * i - 1);
    for (int i = 0; i < 4; ++i)
      s += (0.2 * i - 0.7) * std::max(0.0, x - hinges[i]) + (0.2 * (i + 4) - 0.7) * std::max(0.0, -x - hinges[i]);
    EXPECT_NEAR(apl.value(x), a, 1e-13);
    EXPECT_NEAR(splash.value(x), s, 1e-13);
  }
}

}  // namespace
}  // namespace actforge
