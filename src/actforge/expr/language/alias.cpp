#include "actforge/expr/language/alias.h"

#include <map>

#include "actforge/expr/language/parse.h"

namespace actforge {
namespace {

// Each with the default numbers of the frameworks' own functions. A name is here only if all frameworks that have it
// agree, or if it is spelled in one way by one of them alone: `hardsigmoid` is PyTorch's. Names of operators keep the
// operator's meaning; their notes say where frameworks differ (hard_sigmoid, gelu, leaky_relu, sinc).
constexpr Alias kAliases[] = {
    {"silu", "swish", "PyTorch, Keras, JAX"},
    {"logsigmoid", "log_sigmoid", "PyTorch"},
    {"soft_sign", "softsign", "JAX"},
    {"linear", "identity", "Keras"},
    {"exponential", "exp", "Keras"},
    {"celu", "elu", "PyTorch, Keras, JAX"},
    {"gelu_tanh", "gelu", "PyTorch (approximate=\"tanh\"), Keras (approximate=True), JAX"},
    {"asinh", "arcsinh", "PyTorch, JAX"},
    {"atan", "arctan", "PyTorch, JAX"},
    {"atanh", "arctanh", "PyTorch, JAX"},
    {"absolute", "abs", "PyTorch, Keras, JAX"},
    {"neg", "negative", "PyTorch, JAX"},
    {"expit", "sigmoid", "PyTorch, JAX"},
    {"logistic", "sigmoid", "JAX"},
    {"i0e", "bessel_i0e", "PyTorch, JAX"},
    {"i1e", "bessel_i1e", "PyTorch, JAX"},
    {"subtract", "sub", "PyTorch, Keras, JAX"},
    {"multiply", "mul", "PyTorch, Keras, JAX"},
    {"divide", "div", "PyTorch, Keras, JAX"},
    {"true_divide", "div", "PyTorch, Keras, JAX"},
    {"divide_no_nan", "div_no_nan", "Keras"},
    {"power", "pow", "Keras, JAX"},
    {"maximum", "max", "PyTorch, Keras, JAX"},
    {"minimum", "min", "PyTorch, Keras, JAX"},
    {"gelu_exact", "mul(x,mul(0.5,erfc(mul(-0.7071067811865476,x))))",
     "PyTorch (gelu), Keras (gelu), JAX (approximate=False)"},
    {"relu6", "min(relu(x),6)", "PyTorch, Keras, JAX"},
    {"hardtanh", "max(-1,min(1,x))", "PyTorch"},
    {"hard_tanh", "max(-1,min(1,x))", "Keras, JAX"},
    {"hardsigmoid", "div(min(relu(add(x,3)),6),6)", "PyTorch"},
    {"hardswish", "mul(x,div(min(relu(add(x,3)),6),6))", "PyTorch"},
    {"hard_swish", "mul(x,div(min(relu(add(x,3)),6),6))", "Keras 3, JAX"},
    {"hard_silu", "mul(x,div(min(relu(add(x,3)),6),6))", "Keras 3, JAX"},
    {"softshrink", "add(relu(sub(x,0.5)),min0(add(x,0.5)))", "PyTorch"},
    {"soft_shrink", "add(relu(sub(x,0.5)),min0(add(x,0.5)))", "Keras"},
    {"tanhshrink", "sub(x,tanh(x))", "PyTorch"},
    {"tanh_shrink", "sub(x,tanh(x))", "Keras"},
    {"squareplus", "mul(0.5,add(x,sqrt(add(square(x),4))))", "Keras, JAX"},
    {"sparse_plus", "add(mul(0.25,square(min(relu(add(x,1)),2))),relu(sub(x,1)))", "Keras, JAX"},
    {"sparse_sigmoid", "mul(0.5,min(relu(add(x,1)),2))", "Keras, JAX"},
};

constexpr std::string_view kJumps = "it has jumps, for which the language has no operator";
constexpr std::string_view kVector = "it looks at all channels together; the language has functions of one number";
constexpr RefusedName kRefused[] = {
    {"hardshrink", kJumps},
    {"hard_shrink", kJumps},
    {"threshold", "it jumps where its two numbers differ; write max(x,T), or relu(x-T)+T"},
    {"rrelu", "its slope is random; leaky_relu(x) has a fixed one, prelu(x) a learnable one"},
    {"glu", "it multiplies one half of the channels by the other; sigmoid(x)*x is swish(x)"},
    {"softmax", kVector},
    {"softmin", kVector},
    {"log_softmax", kVector},
    {"gumbel_softmax", kVector},
    {"sparsemax", kVector},
    {"logsumexp", kVector},
    {"logmeanexp", kVector},
    {"standardize", kVector},
    {"log1mexp", "it has values for x > 0 alone, and the language has no plain logarithm"},
    {"log", "it has values for x > 0 alone; there are log_abs_eps(x), log_sigmoid(x) and softplus(x)"},
    {"log1p", "it has values for x > -1 alone; log1p(exp(x)) is softplus(x)"},
    {"clamp", "write max(LEAST,min(MOST,x)), with numbers"},
    {"clip", "write max(LEAST,min(MOST,x)), with numbers"},
    {"where", "it may jump; max, min, relu and min0 choose without"},
    {"sign", kJumps},
    {"sgn", kJumps},
    {"heaviside", kJumps},
};

}  // namespace

std::span<const Alias> alias_table() { return kAliases; }

std::span<const RefusedName> refused_names() { return kRefused; }

AliasMeaning alias_meaning(std::string_view name) {
  static const auto bodies = [] {
    std::map<std::string_view, Expr> map;
    for (const Alias& alias : kAliases) {
      if (find_op(alias.means) == nullptr) map.emplace(alias.name, parse(alias.means));
    }
    return map;
  }();
  for (const RefusedName& refused : kRefused) {
    if (refused.name == name) return {.refusal = refused.why};
  }
  for (const Alias& alias : kAliases) {
    if (alias.name != name) continue;
    const auto body = bodies.find(name);
    return body == bodies.end() ? AliasMeaning{.op = find_op(alias.means)} : AliasMeaning{.body = &body->second};
  }
  return {};
}

const OpInfo* find_op_or_alias(std::string_view name) {
  const OpInfo* op = find_op(name);
  return op != nullptr ? op : alias_meaning(name).op;
}

std::span<const std::string_view> function_names() {
  static const auto names = [] {
    std::vector<std::string_view> list(op_names().begin(), op_names().end());
    for (const Alias& alias : kAliases) list.push_back(alias.name);
    return list;
  }();
  return names;
}

}  // namespace actforge
