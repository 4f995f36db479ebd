// CAFE's unary operators that PANGAEA does not have: section "Search Space" of chapter CAFE.
#include <cmath>
#include <limits>

#include "actforge/expr/ops/ops.h"
#include "actforge/expr/ops/scalar_math.h"
#include "actforge/expr/ops/wide.h"

namespace actforge {

std::vector<OpInfo> cafe_unary_rows() {
  // clang-format off
  return {
      {.op = Op::kCube, .name = "cube", .arity = 1, .summary = "x³",
       .value = [](double x) { return x * x * x; }, .slope = [](double x) { return 3 * x * x; }, .parity = Parity::kOdd,
       .spelling = {.latex = "{A}^{3}", .pytorch = "{a} * {a} * {a}", .keras = "{a} * {a} * {a}", .jax = "{a} * {a} * {a}",
                    .onnx = "Mul(Mul({a},{a}),{a})", .cpp = "{a} * {a} * {a}", .cpp_slope = "T(3) * {a} * {a}"}},
      {.op = Op::kSqrt, .name = "sqrt", .arity = 1, .summary = "sqrt(x)", .notes = "NaN below 0; slope inf at 0",
       .value = [](double x) { return std::sqrt(x); }, .slope = [](double x) { return 0.5 / std::sqrt(x); }, .breaks = {{0, 0}},
       .can_be_infinite = true,
       .spelling = {.latex = "\\sqrt{{a}}", .pytorch = "_sqrt({a})", .keras = "_sqrt({a})", .jax = "_sqrt({a})",
                    .onnx = "Sqrt({a})", .cpp = "std::sqrt({a})", .cpp_slope = "T(0.5) / {y}"}},
      {.op = Op::kGauss, .name = "gauss", .arity = 1, .summary = "e^(-x²)",
       .value = [](double x) { return std::exp(-x * x); },
       .slope = [](double x) { const double y = std::exp(-x * x); return y == 0 ? -0.0 : -2 * x * y; },
       .wide = [](const Wide& x) { return exp(-(x * x)); }, .parity = Parity::kEven, .nonnegative = true,
       .bends = true,
       .spelling = {.latex = "e^{-{A}^{2}}", .pytorch = "torch.exp(-{a} * {a})", .keras = "ops.exp(-{a} * {a})", .jax = "jnp.exp(-{a} * {a})",
                    .onnx = "Exp(Neg(Mul({a},{a})))", .cpp = "std::exp(-{a} * {a})", .cpp_slope = "({y} == 0 ? T(0) : T(-2) * {a} * {y})"}},
      {.op = Op::kLogAbsEps, .name = "log_abs_eps", .arity = 1, .summary = "log(|x + 1e-7|)", .notes = "-inf at -1e-7",
       .value = [](double x) { return std::log(std::fabs(x + kEpsilon)); }, .slope = [](double x) { return 1 / (x + kEpsilon); },
       .wide = [](const Wide& x) { return log(std::fabs(x.high + kEpsilon)); }, .breaks = {{-kEpsilon, 0}},
       .can_be_infinite = true,
       .spelling = {.latex = "\\log\\left(\\left|{a} + \\epsilon\\right|\\right)", .pytorch = "torch.log(torch.abs({a} + 1e-7))",
                    .keras = "ops.log(ops.abs({a} + 1e-7))", .jax = "jnp.log(jnp.abs({a} + 1e-7))", .onnx = "Log(Abs(Add({a},1e-7)))",
                    .cpp = "std::log(std::abs({a} + T(1e-7)))", .cpp_slope = "T(1) / ({a} + T(1e-7))"}},
      {.op = Op::kSin, .name = "sin", .arity = 1, .summary = "sin(x)", .notes = "NaN at ±inf; in float32 kernels NaN beyond 39000",
       .value = [](double x) { return std::sin(x); }, .slope = [](double x) { return std::cos(x); },
       .wide = sin, .parity = Parity::kOdd,
       .spelling = {.latex = "\\sin\\left({a}\\right)", .pytorch = "torch.sin({a})", .keras = "ops.sin({a})", .jax = "jnp.sin({a})",
                    .onnx = "Sin({a})", .cpp = "std::sin({a})", .cpp_slope = "std::cos({a})"}},
      {.op = Op::kCos, .name = "cos", .arity = 1, .summary = "cos(x)", .notes = "NaN at ±inf; in float32 kernels NaN beyond 39000",
       .value = [](double x) { return std::cos(x); }, .slope = [](double x) { return -std::sin(x); },
       .wide = cos, .parity = Parity::kEven,
       .spelling = {.latex = "\\cos\\left({a}\\right)", .pytorch = "torch.cos({a})", .keras = "ops.cos({a})", .jax = "jnp.cos({a})",
                    .onnx = "Cos({a})", .cpp = "std::cos({a})", .cpp_slope = "-std::sin({a})"}},
      {.op = Op::kArctanh, .name = "arctanh", .arity = 1, .summary = "log((1 + x)/(1 - x))/2", .notes = "±inf at ±1, NaN beyond",
       .value = [](double x) { return std::atanh(x); },
       .slope = [](double x) { return std::fabs(x) > 1 ? std::numeric_limits<double>::quiet_NaN() : 1 / ((1 - x) * (1 + x)); },
       .wide = atanh, .parity = Parity::kOdd, .breaks = {{-1, 0}, {1, 0}},
       .can_be_infinite = true,
       .spelling = {.latex = "\\mathrm{arctanh}\\left({a}\\right)", .pytorch = "torch.atanh({a})", .keras = "ops.arctanh({a})", .jax = "jnp.arctanh({a})",
                    .onnx = "Atanh({a})", .cpp = "std::atanh({a})", .cpp_slope = "(std::abs({a}) > 1 ? {y} : T(1) / ((T(1) - {a}) * (T(1) + {a})))"}},
      {.op = Op::kMin0, .name = "min0", .arity = 1, .summary = "min{x, 0}", .notes = "slope 0 at 0",
       .value = [](double x) { return x > 0 ? 0 : x; }, .slope = [](double x) { return x < 0 ? 1.0 : 0.0; }, .breaks = {{0, 1}},
       .spelling = {.latex = "\\min\\left\\{{a}, 0\\right\\}", .pytorch = "-F.relu(-{a})", .keras = "-ops.relu(-{a})", .jax = "-jax.nn.relu(-{a})",
                    .onnx = "Neg(Relu(Neg({a})))", .cpp = "({a} > 0 ? T(0) : {a})", .cpp_slope = "T({a} < 0)"}},
      {.op = Op::kSinc, .name = "sinc", .arity = 1, .summary = "sin(x)/x", .notes = "1 at 0, 0 at ±inf; not scaled by pi as NumPy's, PyTorch's and JAX's",
       .value = sinc, .slope = sinc_slope,
       .wide = [](const Wide& x) { return sin(x) / x; }, .parity = Parity::kEven,
       .bends = true,
       .spelling = {.latex = "\\mathrm{sinc}\\left({a}\\right)", .pytorch = "_sinc({a})", .keras = "_sinc({a})",
                    .jax = "_sinc({a})", .onnx = "Where(Equal({a},0),1,Div(Sin({a}),{a}))", .cpp = "sinc({a})", .cpp_slope = "sinc_slope({a})"}},
  };
  // clang-format on
}

}  // namespace actforge
