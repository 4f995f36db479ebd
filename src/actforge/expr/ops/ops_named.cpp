// The baselines of section "Baseline Activation Function Details" that are not operators of a search space. The
// learnable ones are defined in the language itself: name[initial value, scope](argument) is a parameter on an edge.
#include <cmath>
#include <numbers>

#include "actforge/expr/ops/ops.h"
#include "actforge/expr/ops/scalar_math.h"
#include "actforge/expr/ops/wide.h"

namespace actforge {
namespace {

constexpr double kLeak = 0.01;

double gelu_slope(double x) {
  const double u = gelu_gate_argument(x);
  const double gate_argument_slope = 2 * std::sqrt(2 / std::numbers::pi) * (1 + 3 * 0.044715 * x * x);
  const double bell = sigmoid_slope(u);
  return bell == 0 ? sigmoid(u) : gated_slope(x, sigmoid(u), bell * gate_argument_slope);
}

// tanh(softplus(x)) = (e²+2e)/(e²+2e+2) with e = e^x, written with e^-|x| so that nothing overflows.
double mish_gate(double x) {
  const double e = std::exp(-std::fabs(x));
  return x >= 0 ? (1 + 2 * e) / (1 + 2 * e + 2 * e * e) : e * (e + 2) / (e * (e + 2) + 2);
}

Wide wide_mish(const Wide& x) {
  const Wide e = exp(-abs(x)), two_e = e + e;
  return x * (x < Wide(0) ? (e * e + two_e) / (e * e + two_e + Wide(2))
                          : (Wide(1) + two_e) / (Wide(1) + two_e + two_e * e));
}

// d/dx tanh(softplus(x)) = σ(x)(1-t²) = 4e(e+1)/(e²+2e+2)², e = e^x; for x > 0 divided through by e⁴.
double mish_gate_slope(double x) {
  const double e = std::exp(-std::fabs(x));
  const double denominator = x >= 0 ? 1 + 2 * e + 2 * e * e : e * (e + 2) + 2;
  return 4 * e * (1 + e) * (x >= 0 ? e : 1) / (denominator * denominator);
}

}  // namespace

std::vector<OpInfo> named_function_rows() {
  // clang-format off
  return {
      {.op = Op::kLeakyRelu, .name = "leaky_relu", .arity = 1, .summary = "x if x >= 0 else 0.01x", .notes = "slope 0.01 at 0; as in PyTorch and JAX: Keras has max(x,0.2*x)",
       .value = [](double x) { return x < 0 ? kLeak * x : x; }, .slope = [](double x) { return x > 0 ? 1.0 : kLeak; }, .breaks = {{0, 1}},
       .spelling = {.latex = "\\mathrm{LeakyReLU}\\left({a}\\right)", .pytorch = "F.leaky_relu({a}, 0.01)", .keras = "ops.leaky_relu({a}, 0.01)",
                    .jax = "jax.nn.leaky_relu({a}, 0.01)", .onnx = "LeakyRelu[alpha=0.01]({a})", .cpp = "({a} < 0 ? T(0.01) * {a} : {a})",
                    .cpp_slope = "({a} > 0 ? T(1) : T(0.01))"}},
      {.op = Op::kGelu, .name = "gelu", .arity = 1, .summary = "0.5x(1 + tanh(sqrt(2/pi)(x + 0.044715x³)))", .notes = "the tanh form, JAX's; PyTorch and Keras have gelu_exact; 0 at -inf, its limit",
       .value = [](double x) { return gated(x, sigmoid(gelu_gate_argument(x))); }, .slope = gelu_slope,
       .wide = [](const Wide& x) { return x * sigmoid(Wide(gelu_gate_argument(x.high))); }, .bends = true,
       .spelling = {.latex = "\\mathrm{GELU}\\left({a}\\right)", .pytorch = "F.gelu({a}, approximate=\"tanh\")", .keras = "ops.gelu({a}, approximate=True)",
                    .jax = "jax.nn.gelu({a}, approximate=True)",
                    .onnx = "Mul({a},Sigmoid(Mul(1.5957691216057308,Add({a},Mul(0.044715,Mul({a},Mul({a},{a})))))))",
                    .cpp = "gated({a}, sigmoid(gelu_argument({a})))", .cpp_slope = "gelu_slope({a})"}},
      {.op = Op::kMish, .name = "mish", .arity = 1, .summary = "x tanh(softplus(x))", .notes = "0 at -inf, its limit",
       .value = [](double x) { return gated(x, mish_gate(x)); }, .slope = [](double x) { return gated_slope(x, mish_gate(x), mish_gate_slope(x)); },
       .wide = wide_mish, .bends = true,
       .spelling = {.latex = "\\mathrm{Mish}\\left({a}\\right)", .pytorch = "F.mish({a})", .keras = "{a} * ops.tanh(ops.softplus({a}))",
                    .jax = "{a} * jnp.tanh(jax.nn.softplus({a}))", .onnx = "Mul({a},Tanh(Softplus({a})))", .cpp = "gated({a}, mish_gate({a}))",
                    .cpp_slope = "mish_slope({a})"}},
      {.op = Op::kElish, .name = "elish", .arity = 1, .summary = "x/(1 + e^-x) if x >= 0 else (e^x - 1)/(1 + e^-x)",
       .definition = "mul(sigmoid(x),elu(x))", .spelling = {.latex = "\\mathrm{ELiSH}\\left({a}\\right)"}},
      {.op = Op::kPrelu, .name = "prelu", .arity = 1, .summary = "x if x >= 0 else alpha x; alpha learnable per neuron, from 0.25",
       .definition = "add(relu(x),alpha[0.25,neuron](min0(x)))", .spelling = {.latex = "\\mathrm{PReLU}\\left({a}\\right)"}},
      {.op = Op::kPswish, .name = "pswish", .arity = 1, .summary = "x sigmoid(alpha x); alpha learnable per channel, from 1",
       .definition = "mul(x,sigmoid(alpha(x)))", .spelling = {.latex = "\\mathrm{PSwish}\\left({a}\\right)"}},
      // The dissertation gives no initial values. All a at 0 start from ReLU; the hinges b are spread over the bulk of a
      // unit normal, since equal hinges would receive equal gradients for ever.
      {.op = Op::kApl, .name = "apl", .arity = 1, .summary = "max{0, x} + sum of a_s max{0, b_s - x}, s = 1..7; a from 0, b from -1.5 to 1.5, learnable per neuron",
       .definition = "sum_n(relu(x),"
                     "alpha[0,neuron](relu(sub(param_7[-1.5,neuron](1),x))),beta[0,neuron](relu(sub(param_8[-1,neuron](1),x))),"
                     "gamma[0,neuron](relu(sub(param_9[-0.5,neuron](1),x))),param_3[0,neuron](relu(sub(param_10[0,neuron](1),x))),"
                     "param_4[0,neuron](relu(sub(param_11[0.5,neuron](1),x))),param_5[0,neuron](relu(sub(param_12[1,neuron](1),x))),"
                     "param_6[0,neuron](relu(sub(param_13[1.5,neuron](1),x))))",
       .spelling = {.latex = "\\mathrm{APL}\\left({a}\\right)"}},
      // Horner's scheme for both polynomials; the values are those of the listing in the appendix.
      {.op = Op::kPau, .name = "pau", .arity = 1, .summary = "(a_0 + a_1 x + ... + a_5 x^5)/(1 + |b_1 x + ... + b_4 x^4|), learnable per layer, from an approximation of leaky_relu",
       .notes = "NaN where both polynomials overflow",
       .definition =
           "div(add(alpha[0.02979246,layer](1),mul(x,add(beta[0.61837738,layer](1),mul(x,add(gamma[2.32335207,layer](1),mul(x,"
           "add(param_3[3.0520266,layer](1),mul(x,add(param_4[1.48548002,layer](1),param_5[0.25103717,layer](x)))))))))),"
           "add(1,abs(mul(x,add(param_6[1.14201226,layer](1),mul(x,add(param_7[4.39322834,layer](1),mul(x,add(param_8[0.8715445,layer](1),"
           "param_9[0.34720652,layer](x))))))))))",
       .spelling = {.latex = "\\mathrm{PAU}\\left({a}\\right)"}},
      {.op = Op::kSplash, .name = "splash", .arity = 1,
       .summary = "sum of a+_s max{0, x - b_s} + a-_s max{0, -x - b_s}, b = 0, 1, 2, 2.5; a learnable per layer, a+_1 from 1, the rest from 0",
       .definition = "sum_n(alpha[1,layer](relu(x)),beta[0,layer](relu(sub(x,1))),gamma[0,layer](relu(sub(x,2))),param_3[0,layer](relu(sub(x,2.5))),"
                     "param_4[0,layer](relu(negative(x))),param_5[0,layer](relu(sub(negative(x),1))),param_6[0,layer](relu(sub(negative(x),2))),"
                     "param_7[0,layer](relu(sub(negative(x),2.5))))",
       .spelling = {.latex = "\\mathrm{SPLASH}\\left({a}\\right)"}},
  };
  // clang-format on
}

}  // namespace actforge
