#include "tools/actforge/common/verb.h"

namespace actforge::tool {
namespace {

constexpr Verb kVerbs[] = {
    {"show", "Forms, parameters and properties of a function", add_fn_show},
    {"eval", "Values and derivatives", add_fn_eval},
    {"moments", "Mean and variance of f(x) and f'(x) for normal x", add_fn_moments},
    {"plot", "Draw functions, in the terminal or as SVG or PNG", add_fn_plot},
    {"fit", "Make a function of a few pieces from samples of a curve, or from another function", add_fn_fit},
    {"export", "Write a function for PyTorch, Keras, TensorFlow, JAX, ONNX, C++ or LaTeX", add_fn_export},
    {"bench", "Nanoseconds per element, beside a plain copy", add_fn_bench},
    {"list", "The operators and named functions of the language", add_fn_list},
};

}  // namespace

void add_fn(CLI::App& app, VerbAction& chosen) {
  add_group(
      app, chosen,
      {.name = "fn",
       .summary = "Activation functions: show, measure and export them",
       .footer = "An expression is written as calls or infix, or both:\n"
                 "  max(relu(x),cosh(elu(x)))    log_sigmoid(alpha*x)*arcsinh(x)    swish(-2*x)    "
                 "alpha[0.25,neuron](min0(x))\n"
                 "alpha, beta, gamma, param_3, ... are learnable factors. 'actforge fn list' names the operators.",
       .verbs = kVerbs});
}

}  // namespace actforge::tool
