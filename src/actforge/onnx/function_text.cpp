// How ONNX operators that work number by number are written in the language of activation functions.
#include <charconv>
#include <cmath>
#include <map>

#include "actforge/onnx/function.h"
#include "actforge/onnx/tensor.h"

namespace actforge {
namespace {

using Text = std::optional<std::string>;
using Arguments = std::vector<FunctionArgument>;
using Rule = Text (*)(const OnnxNode&, const Arguments&);

std::string call(const char* name, const std::string& a) { return std::string(name) + "(" + a + ")"; }
std::string call(const char* name, const std::string& a, const std::string& b) {
  return std::string(name) + "(" + a + "," + b + ")";
}

bool is_number(const FunctionArgument& argument, double value) {
  return argument.constant && *argument.constant == value;
}

// `template` with the argument in the place of every #.
std::string filled(std::string_view pattern, const std::string& argument) {
  std::string text;
  for (const char c : pattern) {
    if (c == '#') {
      text += argument;
    } else {
      text += c;
    }
  }
  return text;
}

// One argument, no settings.
const std::map<std::string_view, std::string_view> kPlain = {
    {"Identity", "#"},           {"Relu", "relu(#)"},
    {"Sigmoid", "sigmoid(#)"},   {"Tanh", "tanh(#)"},
    {"Erf", "erf(#)"},           {"Exp", "exp(#)"},
    {"Sqrt", "sqrt(#)"},         {"Abs", "abs(#)"},
    {"Neg", "negative(#)"},      {"Reciprocal", "reciprocal(#)"},
    {"Softplus", "softplus(#)"}, {"Softsign", "softsign(#)"},
    {"Mish", "mish(#)"},         {"HardSwish", "mul(#,max(0,min(1,add(mul(0.16666667,#),0.5))))"},
    {"Sin", "sin(#)"},           {"Cos", "cos(#)"},
    {"Sinh", "sinh(#)"},         {"Cosh", "cosh(#)"},
    {"Asinh", "arcsinh(#)"},     {"Atan", "arctan(#)"},
    {"Atanh", "arctanh(#)"},     {"Sign", "div_no_nan(#,abs(#))"},
};

Text cast(const OnnxNode& node, const Arguments& arguments) {
  if (!is_float_type(static_cast<std::int32_t>(node.integer("to", 0)))) return std::nullopt;
  return arguments[0].text;
}

Text leaky_relu(const OnnxNode& node, const Arguments& arguments) {
  const double alpha = node.number("alpha", 0.01);
  if (static_cast<float>(alpha) == 0.01F) return call("leaky_relu", arguments[0].text);
  return filled("add(relu(#),mul(" + constant_text(alpha) + ",min0(#)))", arguments[0].text);
}

// max(0, x) + alpha (e^min(0, x) - 1), times gamma.
std::string elu_text(double alpha, const std::string& argument) {
  if (alpha == 1) return call("elu", argument);
  return filled("add(relu(#),mul(" + constant_text(alpha) + ",expm1(min0(#))))", argument);
}

Text elu(const OnnxNode& node, const Arguments& arguments) {
  return elu_text(node.number("alpha", 1), arguments[0].text);
}

Text selu(const OnnxNode& node, const Arguments& arguments) {
  constexpr double kAlpha = 1.67326324, kGamma = 1.05070098;
  const double alpha = node.number("alpha", kAlpha), gamma = node.number("gamma", kGamma);
  if (std::fabs(alpha - kAlpha) < 1e-6 && std::fabs(gamma - kGamma) < 1e-6) return call("selu", arguments[0].text);
  return call("mul", constant_text(gamma), elu_text(alpha, arguments[0].text));
}

Text celu(const OnnxNode& node, const Arguments& arguments) {
  const std::string alpha = constant_text(node.number("alpha", 1));
  return filled("add(relu(#),mul(" + alpha + ",expm1(div(min0(#)," + alpha + "))))", arguments[0].text);
}

Text hard_sigmoid(const OnnxNode& node, const Arguments& arguments) {
  const double alpha = node.number("alpha", 0.2), beta = node.number("beta", 0.5);
  if (static_cast<float>(alpha) == 0.2F && beta == 0.5) return call("hard_sigmoid", arguments[0].text);
  return filled("max(0,min(1,add(mul(" + constant_text(alpha) + ",#)," + constant_text(beta) + ")))",
                arguments[0].text);
}

// The quotient is 1 above alpha and 0/0, which is 0 here, below.
Text thresholded_relu(const OnnxNode& node, const Arguments& arguments) {
  const double alpha = node.number("alpha", 1);
  if (alpha == 0) return call("relu", arguments[0].text);
  const std::string above = "sub(#," + constant_text(alpha) + ")";
  return filled("mul(#,div_no_nan(relu(" + above + ")," + above + "))", arguments[0].text);
}

Text gelu(const OnnxNode& node, const Arguments& arguments) {
  if (node.word("approximate", "none") == "tanh") return call("gelu", arguments[0].text);
  return filled("mul(#,mul(0.5,add(1,erf(mul(#,0.70710678)))))", arguments[0].text);
}

// Bounds are attributes before operator set 11, and inputs since.
Text clip(const OnnxNode& node, const Arguments& arguments) {
  std::optional<double> low, high;
  if (node.has("min")) low = node.number("min", 0);
  if (node.has("max")) high = node.number("max", 0);
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    if (node.input(i) == kNoTensor) continue;
    if (!arguments[i].constant) return std::nullopt;
    (i == 1 ? low : high) = arguments[i].constant;
  }
  constexpr double kNone = 3e38;  // exporters write the largest float for no bound
  std::string text = arguments[0].text;
  if (low && *low > -kNone) text = *low == 0 ? call("relu", text) : call("max", text, constant_text(*low));
  if (high && *high < kNone) text = call("min", text, constant_text(*high));
  return text;
}

// log(1 + e^a) is a function of its own here; a logarithm of anything else has no name.
Text logarithm(const OnnxNode&, const Arguments& arguments) {
  const std::string& text = arguments[0].text;
  for (const auto& [head, tail] : {std::pair<std::string, std::string>{"add(exp(", "),1)"}, {"add(1,exp(", "))"}}) {
    if (!text.starts_with(head) || !text.ends_with(tail) || text.size() <= head.size() + tail.size()) continue;
    const std::string inner = text.substr(head.size(), text.size() - head.size() - tail.size());
    int depth = 0;
    bool whole = true;  // the bracket of exp closes where the tail begins
    for (const char c : inner) {
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      whole = whole && depth >= 0 && !(depth == 0 && c == ',');
    }
    if (whole && depth == 0) return call("softplus", inner);
  }
  return std::nullopt;
}

Text power(const OnnxNode&, const Arguments& arguments) {
  if (is_number(arguments[1], 2)) return call("square", arguments[0].text);
  if (is_number(arguments[1], 3)) return call("cube", arguments[0].text);
  if (is_number(arguments[1], 0.5)) return call("sqrt", arguments[0].text);
  return call("pow", arguments[0].text, arguments[1].text);
}

Text nested(const char* name, const Arguments& arguments) {
  if (arguments.empty()) return std::nullopt;
  std::string text = arguments[0].text;
  for (std::size_t i = 1; i < arguments.size(); ++i) text = call(name, text, arguments[i].text);
  return text;
}

Text add(const OnnxNode&, const Arguments& arguments) { return nested("add", arguments); }
Text subtract(const OnnxNode&, const Arguments& arguments) { return nested("sub", arguments); }
Text multiply(const OnnxNode&, const Arguments& arguments) { return nested("mul", arguments); }
Text divide(const OnnxNode&, const Arguments& arguments) { return nested("div", arguments); }
Text smallest(const OnnxNode&, const Arguments& arguments) { return nested("min", arguments); }

Text largest(const OnnxNode&, const Arguments& arguments) {
  if (arguments.size() == 2 && is_number(arguments[1], 0)) return call("relu", arguments[0].text);
  if (arguments.size() == 2 && is_number(arguments[0], 0)) return call("relu", arguments[1].text);
  return nested("max", arguments);
}

Text mean(const OnnxNode&, const Arguments& arguments) {
  const Text sum = nested("add", arguments);
  return sum ? Text(call("div", *sum, std::to_string(arguments.size()))) : std::nullopt;
}

struct Row {
  std::size_t least, most;  // arguments
  Rule rule;
};
const std::map<std::string_view, Row> kRules = {
    {"Cast", {1, 1, cast}},
    {"LeakyRelu", {1, 1, leaky_relu}},
    {"Elu", {1, 1, elu}},
    {"Selu", {1, 1, selu}},
    {"Celu", {1, 1, celu}},
    {"HardSigmoid", {1, 1, hard_sigmoid}},
    {"ThresholdedRelu", {1, 1, thresholded_relu}},
    {"Gelu", {1, 1, gelu}},
    {"Clip", {1, 3, clip}},
    {"Log", {1, 1, logarithm}},
    {"Pow", {2, 2, power}},
    {"Add", {2, 2, add}},
    {"Sub", {2, 2, subtract}},
    {"Mul", {2, 2, multiply}},
    {"Div", {2, 2, divide}},
    {"Max", {1, 16, largest}},
    {"Min", {1, 16, smallest}},
    {"Sum", {1, 16, add}},
    {"Mean", {1, 16, mean}},
};

}  // namespace

// As many digits as float32 needs: ONNX keeps constants in it.
std::string constant_text(double value) {
  char buffer[32];
  const auto narrow = static_cast<float>(value);
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, narrow).ptr;
  return std::string(buffer, end);
}

bool is_function_op(std::string_view op) { return kPlain.contains(op) || kRules.contains(op) || op == "PRelu"; }

std::optional<std::string> function_text(const OnnxNode& node, const Arguments& arguments) {
  if (const auto plain = kPlain.find(node.op); plain != kPlain.end()) {
    if (arguments.size() != 1) return std::nullopt;
    return filled(plain->second, arguments[0].text);
  }
  const auto found = kRules.find(node.op);
  if (found == kRules.end()) return std::nullopt;
  const Row& row = found->second;
  if (arguments.size() < row.least || arguments.size() > row.most) return std::nullopt;
  return row.rule(node, arguments);
}

std::optional<OnnxFunction::Line> function_line(const OnnxNode& node, const Arguments& arguments) {
  std::vector<OnnxFunction::Line> lines;
  for (const FunctionArgument& argument : arguments) {
    if (argument.constant) {
      lines.push_back({.slope = 0, .offset = *argument.constant});
    } else if (argument.line) {
      lines.push_back(*argument.line);
    } else {
      return std::nullopt;
    }
  }
  if (node.op == "Identity" || node.op == "Cast") return lines[0];
  if (node.op == "Neg") return OnnxFunction::Line{.slope = -lines[0].slope, .offset = -lines[0].offset};
  if (lines.size() != 2) return std::nullopt;
  const auto [a, b] = std::pair(lines[0], lines[1]);
  if (node.op == "Add") return OnnxFunction::Line{.slope = a.slope + b.slope, .offset = a.offset + b.offset};
  if (node.op == "Sub") return OnnxFunction::Line{.slope = a.slope - b.slope, .offset = a.offset - b.offset};
  if (node.op == "Mul" && a.slope == 0) return OnnxFunction::Line{a.offset * b.slope, a.offset * b.offset};
  if (node.op == "Mul" && b.slope == 0) return OnnxFunction::Line{b.offset * a.slope, b.offset * a.offset};
  if (node.op == "Div" && b.slope == 0) return OnnxFunction::Line{a.slope / b.offset, a.offset / b.offset};
  return std::nullopt;
}

}  // namespace actforge
