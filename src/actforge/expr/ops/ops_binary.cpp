// The binary operators of PANGAEA and CAFE, and the n-ary ones of AQuaSurF.
#include <cmath>

#include "actforge/expr/ops/ops.h"
#include "actforge/expr/ops/wide.h"

namespace actforge {
namespace {

// NaN if either is, and +0 above -0, so that the order of the arguments never matters.
double maximum(double a, double b) {
  if (a == b) return std::signbit(a) ? b : a;
  return a > b || std::isnan(a) ? a : b;
}
double minimum(double a, double b) { return -maximum(-a, -b); }

// Ties: half to each side. (Where one side is a constant it takes all of it; the evaluators know that, not this table.)
Slopes maximum_slopes(double a, double b) { return a > b ? Slopes{1, 0} : a < b ? Slopes{0, 1} : Slopes{0.5, 0.5}; }
Slopes minimum_slopes(double a, double b) { return maximum_slopes(b, a); }

double power(double a, double b) {
  // Exact products for the exponents that the canonical form replaces by square and reciprocal.
  if (b == 2) return a * a;
  if (b == -1) return 1 / a;
  return std::pow(a, b);
}

Wide wide_power(const Wide& a, const Wide& b) {
  if (b.high == 2) return a * a;
  if (b.high == -1) return Wide(1) / a;
  return pow(a, b);
}

// d/da = b·a^(b-1), d/db = a^b log a. A negative base has no neighbourhood of exponents, so d/db is 0 there, and at 0.
Slopes power_slopes(double a, double b) {
  return {b == 0 ? 0 : b * power(a, b - 1), a > 0 ? std::pow(a, b) * std::log(a) : a <= 0 ? 0 : a};
}

Slopes quotient_slopes(double a, double b) { return {1 / b, -a / (b * b)}; }

}  // namespace

std::vector<OpInfo> binary_rows() {
  // clang-format off
  return {
      {.op = Op::kAdd, .name = "add", .arity = 2, .summary = "a + b",
       .value2 = [](double a, double b) { return a + b; }, .slope2 = [](double, double) { return Slopes{1, 1}; },
       .spelling = {.latex = "{a} + {b}", .pytorch = "{a} + {b}", .keras = "{a} + {b}", .jax = "{a} + {b}", .onnx = "Add({a},{b})",
                    .cpp = "{a} + {b}", .cpp_slope = "T(1)", .cpp_slope2 = "T(1)"}},
      {.op = Op::kSub, .name = "sub", .arity = 2, .summary = "a - b",
       .value2 = [](double a, double b) { return a - b; }, .slope2 = [](double, double) { return Slopes{1, -1}; },
       .spelling = {.latex = "{a} - {b}", .pytorch = "{a} - {b}", .keras = "{a} - {b}", .jax = "{a} - {b}", .onnx = "Sub({a},{b})",
                    .cpp = "{a} - {b}", .cpp_slope = "T(1)", .cpp_slope2 = "T(-1)"}},
      {.op = Op::kMul, .name = "mul", .arity = 2, .summary = "a b",
       .value2 = [](double a, double b) { return a * b; }, .slope2 = [](double a, double b) { return Slopes{b, a}; },
       .spelling = {.latex = "{a} \\cdot {b}", .pytorch = "{a} * {b}", .keras = "{a} * {b}", .jax = "{a} * {b}", .onnx = "Mul({a},{b})",
                    .cpp = "{a} * {b}", .cpp_slope = "{b}", .cpp_slope2 = "{a}"}},
      {.op = Op::kDiv, .name = "div", .arity = 2, .summary = "a/b", .notes = "IEEE: a/0 is ±inf, 0/0 is NaN",
       .value2 = [](double a, double b) { return a / b; }, .slope2 = quotient_slopes,
       .can_be_infinite = true,
       .spelling = {.latex = "\\frac{{a}}{{b}}", .pytorch = "{a} / {b}", .keras = "{a} / {b}", .jax = "{a} / {b}", .onnx = "Div({a},{b})",
                    .cpp = "{a} / {b}", .cpp_slope = "T(1) / {b}", .cpp_slope2 = "-{a} / ({b} * {b})"}},
      {.op = Op::kPow, .name = "pow", .arity = 2, .summary = "a^b", .notes = "IEEE: NaN for a negative base and a fractional exponent; a^0 and 1^b are 1; d/db is 0 for a <= 0",
       .value2 = power, .slope2 = power_slopes, .wide2 = wide_power,
       .can_be_infinite = true,
       .spelling = {.latex = "{A}^{{b}}", .pytorch = "_pow({a}, {b})", .keras = "_pow({a}, {b})", .jax = "_pow({a}, {b})", .onnx = "Pow({a},{b})",
                    .cpp = "std::pow({a}, {b})", .cpp_slope = "({b} == 0 ? T(0) : {b} * std::pow({a}, {b} - T(1)))",
                    .cpp_slope2 = "({a} > 0 ? {y} * std::log({a}) : T(0))"}},
      {.op = Op::kMax, .name = "max", .arity = 2, .summary = "max{a, b}", .notes = "NaN if either is; at a tie the slope is shared, or 0 where one side is a constant",
       .value2 = maximum, .slope2 = maximum_slopes,
       .spelling = {.latex = "\\max\\left\\{{a}, {b}\\right\\}", .pytorch = "torch.maximum({a}, {b})", .keras = "ops.maximum({a}, {b})",
                    .jax = "jnp.maximum({a}, {b})", .onnx = "Max({a},{b})", .cpp = "maximum({a}, {b})", .cpp_slope = "win({a}, {b})", .cpp_slope2 = "win({b}, {a})"}},
      {.op = Op::kMin, .name = "min", .arity = 2, .summary = "min{a, b}", .notes = "NaN if either is; at a tie the slope is shared, or 0 where one side is a constant",
       .value2 = minimum, .slope2 = minimum_slopes,
       .spelling = {.latex = "\\min\\left\\{{a}, {b}\\right\\}", .pytorch = "torch.minimum({a}, {b})", .keras = "ops.minimum({a}, {b})",
                    .jax = "jnp.minimum({a}, {b})", .onnx = "Min({a},{b})", .cpp = "-maximum(-{a}, -{b})", .cpp_slope = "win({b}, {a})", .cpp_slope2 = "win({a}, {b})"}},
      {.op = Op::kDivNoNan, .name = "div_no_nan", .arity = 2, .summary = "a/b, or 0 where b is 0", .notes = "PANGAEA's division; both slopes are 0 where b is 0",
       .value2 = [](double a, double b) { return b == 0 ? 0 : a / b; },
       .slope2 = [](double a, double b) { return b == 0 ? Slopes{0, 0} : quotient_slopes(a, b); },
       .can_be_infinite = true,
       .spelling = {.latex = "\\frac{{a}}{{b}}", .pytorch = "_div_no_nan({a}, {b})", .keras = "_div_no_nan({a}, {b})", .jax = "_div_no_nan({a}, {b})",
                    .onnx = "Where(Equal({b},0),0,Div({a},Where(Equal({b},0),1,{b})))", .cpp = "({b} == 0 ? T(0) : {a} / {b})",
                    .cpp_slope = "({b} == 0 ? T(0) : T(1) / {b})", .cpp_slope2 = "({b} == 0 ? T(0) : -{a} / ({b} * {b}))"}},
      {.op = Op::kDivEps, .name = "div_eps", .arity = 2, .summary = "a/(b + 1e-7)", .notes = "CAFE's division; a pole at b = -1e-7",
       .value2 = [](double a, double b) { return a / (b + kEpsilon); }, .slope2 = [](double a, double b) { return quotient_slopes(a, b + kEpsilon); },
       .can_be_infinite = true,
       .spelling = {.latex = "\\frac{{a}}{{b} + \\epsilon}", .pytorch = "{a} / ({b} + 1e-7)", .keras = "{a} / ({b} + 1e-7)", .jax = "{a} / ({b} + 1e-7)",
                    .onnx = "Div({a},Add({b},1e-7))", .cpp = "{a} / ({b} + T(1e-7))", .cpp_slope = "T(1) / ({b} + T(1e-7))",
                    .cpp_slope2 = "-{a} / (({b} + T(1e-7)) * ({b} + T(1e-7)))"}},
  };
  // clang-format on
}

std::vector<OpInfo> variadic_rows() {
  // clang-format off
  return {
      {.op = Op::kSumN, .name = "sum_n", .arity = kVariadic, .summary = "a + b + c + ...", .notes = "any order of the arguments gives the same value",
       .value2 = [](double a, double b) { return a + b; }, .slope2 = [](double, double) { return Slopes{1, 1}; }},
      {.op = Op::kProdN, .name = "prod_n", .arity = kVariadic, .summary = "a b c ...", .notes = "any order of the arguments gives the same value",
       .value2 = [](double a, double b) { return a * b; }, .slope2 = [](double a, double b) { return Slopes{b, a}; }},
      {.op = Op::kMaxN, .name = "max_n", .arity = kVariadic, .summary = "max{a, b, c, ...}", .notes = "NaN if any is",
       .value2 = maximum, .slope2 = maximum_slopes},
      {.op = Op::kMinN, .name = "min_n", .arity = kVariadic, .summary = "min{a, b, c, ...}", .notes = "NaN if any is",
       .value2 = minimum, .slope2 = minimum_slopes},
  };
  // clang-format on
}

}  // namespace actforge
