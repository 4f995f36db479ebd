// Walks the table of aliases: each against the definition in its framework's documentation, written down here once
// more.
#include "actforge/expr/language/alias.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string>

#include "actforge/base/error.h"
#include "actforge/expr/language/parse.h"
#include "actforge/expr/language/print.h"
#include "actforge/expr/language/reference.h"

namespace actforge {
namespace {

double clip(double x, double low, double high) { return std::min(std::max(x, low), high); }
double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
double hard_swish(double x) { return x * clip(x + 3, 0, 6) / 6; }
double soft_shrink(double x) { return x > 0.5 ? x - 0.5 : x < -0.5 ? x + 0.5 : 0; }

using Unary = std::function<double(double)>;
const std::map<std::string_view, Unary> kUnary = {
    {"silu", [](double x) { return x * sigmoid(x); }},
    {"logsigmoid", [](double x) { return -std::log1p(std::exp(-x)); }},
    {"soft_sign", [](double x) { return x / (1 + std::fabs(x)); }},
    {"linear", [](double x) { return x; }},
    {"exponential", [](double x) { return std::exp(x); }},
    {"celu", [](double x) { return std::max(0.0, x) + std::min(0.0, std::expm1(x)); }},
    {"gelu_tanh",
     [](double x) { return 0.5 * x * (1 + std::tanh(std::sqrt(2 / std::acos(-1)) * (x + 0.044715 * x * x * x))); }},
    {"gelu_exact", [](double x) { return 0.5 * x * std::erfc(-x / std::sqrt(2.0)); }},
    {"asinh", [](double x) { return std::asinh(x); }},
    {"atan", [](double x) { return std::atan(x); }},
    {"atanh", [](double x) { return std::atanh(x); }},
    {"absolute", [](double x) { return std::fabs(x); }},
    {"neg", [](double x) { return -x; }},
    {"expit", sigmoid},
    {"logistic", sigmoid},
    {"i0e", [](double x) { return std::exp(-std::fabs(x)) * std::cyl_bessel_i(0.0, std::fabs(x)); }},
    {"i1e", [](double x) { return std::copysign(std::exp(-std::fabs(x)) * std::cyl_bessel_i(1.0, std::fabs(x)), x); }},
    {"relu6", [](double x) { return clip(x, 0, 6); }},
    {"hardtanh", [](double x) { return clip(x, -1, 1); }},
    {"hard_tanh", [](double x) { return clip(x, -1, 1); }},
    {"hardsigmoid", [](double x) { return clip(x + 3, 0, 6) / 6; }},
    {"hardswish", hard_swish},
    {"hard_swish", hard_swish},
    {"hard_silu", hard_swish},
    {"softshrink", soft_shrink},
    {"soft_shrink", soft_shrink},
    {"tanhshrink", [](double x) { return x - std::tanh(x); }},
    {"tanh_shrink", [](double x) { return x - std::tanh(x); }},
    {"squareplus", [](double x) { return (x + std::sqrt(x * x + 4)) / 2; }},
    {"sparse_plus", [](double x) { return x <= -1  ? 0
                                          : x >= 1 ? x
                                                   : (x + 1) * (x + 1) / 4; }},
    {"sparse_sigmoid", [](double x) { return x <= -1  ? 0
                                             : x >= 1 ? 1
                                                      : (x + 1) / 2; }},
};

using Binary = std::function<double(double, double)>;
const std::map<std::string_view, Binary> kBinary = {
    {"subtract", [](double a, double b) { return a - b; }},
    {"multiply", [](double a, double b) { return a * b; }},
    {"divide", [](double a, double b) { return a / b; }},
    {"true_divide", [](double a, double b) { return a / b; }},
    {"divide_no_nan", [](double a, double b) { return b == 0 ? 0 : a / b; }},
    {"power", [](double a, double b) { return std::pow(a, b); }},
    {"maximum", [](double a, double b) { return std::max(a, b); }},
    {"minimum", [](double a, double b) { return std::min(a, b); }},
};

void expect_same(const std::string& text, const Unary& defined) {
  Reference function(parse(text));
  for (double x = -8; x <= 8; x += 1.0 / 16) {
    const double wanted = defined(x), got = function.value(x);
    if (std::isnan(wanted) || std::isinf(wanted)) {
      EXPECT_TRUE(std::isnan(wanted) ? std::isnan(got) : wanted == got) << text << " at " << x;
    } else {
      EXPECT_NEAR(got, wanted, 1e-13 * std::max(1.0, std::fabs(wanted))) << text << " at " << x;
    }
  }
}

TEST(Alias, EachIsWhatItsFrameworkDefines) {
  for (const Alias& alias : alias_table()) {
    const std::string name(alias.name);
    if (const auto one = kUnary.find(alias.name); one != kUnary.end()) {
      expect_same(name + "(x)", one->second);
      expect_same(name + "(2*x-1)", [&](double x) { return one->second(2 * x - 1); });
    } else if (const auto two = kBinary.find(alias.name); two != kBinary.end()) {
      for (const double b : {0.0, 2.0, -1.5}) {
        expect_same(name + "(x," + std::to_string(b) + ")", [&](double x) { return two->second(x, b); });
      }
    } else {
      ADD_FAILURE() << "no definition of '" << name << "' in this test";
    }
  }
}

TEST(Alias, NamesAreUniqueAndNoOperators) {
  std::vector<std::string_view> names(op_names().begin(), op_names().end());
  for (const Alias& alias : alias_table()) names.push_back(alias.name);
  for (const RefusedName& refused : refused_names()) names.push_back(refused.name);
  std::ranges::sort(names);
  const auto twice = std::ranges::adjacent_find(names);
  EXPECT_EQ(twice, names.end()) << *twice;
}

TEST(Alias, NothingKeepsIt) {
  EXPECT_EQ(to_call(parse("silu(x)")), "swish(x)");
  EXPECT_EQ(to_call(parse("maximum(x, asinh(x))")), "max(x,arcsinh(x))");
  EXPECT_EQ(to_call(parse("relu6(x)")), "min(relu(x),6)");
}

TEST(Alias, TheArgumentMayBeAnything) {
  EXPECT_EQ(to_call(parse("tanhshrink(alpha[0.5](x))")), "sub(alpha[0.5](x),tanh(alpha[0.5](x)))");
  EXPECT_EQ(to_call(parse("relu6( tanhshrink(x) + 1 )*2")), "mul(min(relu(add(sub(x,tanh(x)),1)),6),2)");
  EXPECT_EQ(parse("tanhshrink(tanhshrink(x))"), parse("(x-tanh(x))-tanh(x-tanh(x))"));
}

std::string error_of(const std::string& text) {
  try {
    parse(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Alias, WhatCannotBeSaysWhy) {
  for (const RefusedName& refused : refused_names()) {
    const std::string text = "1+" + std::string(refused.name) + "(x)";
    EXPECT_EQ(error_of(text),
              "'" + std::string(refused.name) + "' cannot be used here at column 3: " + std::string(refused.why));
  }
  EXPECT_EQ(error_of("hardtanh(x,-2,2)"),
            "'hardtanh' takes 1 argument; its numbers are the framework's defaults at column 11");
  EXPECT_EQ(error_of("silu(x,1)"), "'swish' takes 1 argument, not 2 at column 1");
  EXPECT_EQ(error_of("relu6(tanhshrink(x)"), "missing ')' at column 20");
  EXPECT_EQ(error_of("SiLU(x)"), "unknown operator 'SiLU' at column 1; did you mean 'silu'?");
  EXPECT_EQ(error_of("hardtahn(x)"), "unknown operator 'hardtahn' at column 1; did you mean 'hardtanh'?");
}

TEST(Alias, NamesStandWithoutTheirModule) {
  EXPECT_EQ(error_of("F.silu(x)"), "unknown operator 'F' at column 1; operators stand without a module: silu(x)");
  EXPECT_EQ(error_of("x*torch.nn.functional.logsigmoid(x)"),
            "unknown operator 'torch' at column 3; operators stand without a module: logsigmoid(x)");
  EXPECT_EQ(error_of("nn.SiLU()(x)"), "unknown operator 'nn' at column 1; operators stand without a module: silu(x)");
  EXPECT_EQ(error_of("np.zzz(x)"), "unknown operator 'np' at column 1; operators stand without a module: zzz(x)");
  EXPECT_EQ(error_of("np.(x)"), "unknown operator 'np' at column 1");
  EXPECT_EQ(error_of("np."), "unknown operator 'np' at column 1");
}

// The argument is read once for every x of the body, so nested aliases grow as powers: the limit on nodes holds.
TEST(Alias, NestedAliasesEnd) {
  std::string text = "x";
  for (int i = 0; i < 40; ++i) text = "tanhshrink(" + text + ")";
  EXPECT_NE(error_of(text).find("expression too large"), std::string::npos) << error_of(text);
}

}  // namespace
}  // namespace actforge
