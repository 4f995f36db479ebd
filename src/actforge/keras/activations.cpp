#include "actforge/keras/activations.h"

#include <algorithm>
#include <cmath>

#include "actforge/base/error.h"
#include "actforge/expr/language/parse.h"
#include "actforge/expr/language/print.h"
#include "actforge/keras/layers.h"

namespace actforge {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorCode::kBadInput, why); }

struct FunctionRow {
  std::string_view name;
  std::string_view function;
  std::string_view keras2 = {};  // where that meant another one
};

constexpr std::string_view kHardSigmoid = "max(0,min(1,add(mul(0.16666666666666666,x),0.5)))";

constexpr FunctionRow kFunctions[] = {
    {"linear", ""},
    {"elu", "elu(x)"},
    {"celu", "elu(x)"},
    {"exponential", "exp(x)"},
    {"exp", "exp(x)"},
    {"gelu", "mul(mul(0.5,x),erfc(mul(-0.7071067811865476,x)))"},
    {"hard_sigmoid", kHardSigmoid, "hard_sigmoid(x)"},
    {"hard_silu", "mul(x,max(0,min(1,add(mul(0.16666666666666666,x),0.5))))"},
    {"hard_swish", "mul(x,max(0,min(1,add(mul(0.16666666666666666,x),0.5))))"},
    {"hard_tanh", "max(-1,min(1,x))"},
    {"leaky_relu", "add(relu(x),mul(0.2,min0(x)))"},
    {"log_sigmoid", "log_sigmoid(x)"},
    {"mish", "mish(x)"},
    {"relu", "relu(x)"},
    {"relu6", "min(relu(x),6)"},
    {"selu", "selu(x)"},
    {"sigmoid", "sigmoid(x)"},
    {"silu", "swish(x)"},
    {"swish", "swish(x)"},
    {"soft_shrink", "sub(relu(sub(x,0.5)),relu(sub(negative(x),0.5)))"},
    {"softplus", "softplus(x)"},
    {"softsign", "softsign(x)"},
    {"sparse_sigmoid", "max(0,min(1,add(mul(0.5,x),0.5)))"},
    {"squareplus", "mul(0.5,add(x,sqrt(add(square(x),4))))"},
    {"tanh", "tanh(x)"},
    {"tanh_shrink", "sub(x,tanh(x))"},
    {"abs", "abs(x)"},
    {"absolute", "abs(x)"},
    {"arcsinh", "arcsinh(x)"},
    {"arctan", "arctan(x)"},
    {"cos", "cos(x)"},
    {"cosh", "cosh(x)"},
    {"erf", "erf(x)"},
    {"expm1", "expm1(x)"},
    {"negative", "negative(x)"},
    {"reciprocal", "reciprocal(x)"},
    {"sin", "sin(x)"},
    {"sinh", "sinh(x)"},
    {"sqrt", "sqrt(x)"},
    {"square", "square(x)"},
};

// 1 above the threshold, else 0.
std::string step(double threshold) {
  const std::string above = "relu(sub(x," + number_text(threshold) + "))";
  return "div_no_nan(" + above + "," + above + ")";
}

// HardSigmoid, hard_sigmoid and Hard-Sigmoid are one name.
std::string snake_case(std::string_view name) {
  std::string text;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool upper = name[i] >= 'A' && name[i] <= 'Z';
    if (upper && i > 0 && name[i - 1] >= 'a' && name[i - 1] <= 'z') text += '_';
    text += upper ? static_cast<char>(name[i] - 'A' + 'a') : name[i];
  }
  return text;
}

// f(x) = slope * min(x, 0) for negative x, x beyond it.
std::string leaky(double slope) {
  if (slope == 0) return "relu(x)";
  return "add(relu(x),mul(" + number_text(slope) + ",min0(x)))";
}

KerasTensor add_softmax(KerasCall& call, const KerasTensor& tensor, std::size_t axis, std::string_view suffix) {
  return call.add_same("softmax", tensor, {{"axis", std::to_string(tensor.axes[axis])}}, suffix);
}

KerasTensor add_opaque_function(KerasCall& call, const KerasTensor& tensor, const std::string& name,
                                std::string_view suffix) {
  Shape shape = keras_shape(call.build, tensor);
  KerasTensor from = tensor;
  if (name == "glu" && shape.back() % 2 == 0) {
    from = call.in_keras_order(tensor);
    shape.back() /= 2;
  }
  const Signal& signal = call.build.signal(from.layer);
  const Shape extents = name == "glu" ? shape : signal.shape;
  call.note("has an activation '" + name + "' that is no function of one number known here: it is not modelled");
  return call.add_same("opaque", from,
                       {{"type", network_name(name).substr(0, 60)},
                        {"shape", extents},
                        {"channels", std::to_string(signal.channel_axis)}},
                       suffix);
}

}  // namespace

std::optional<std::string> keras_function(std::string_view name, bool keras3) {
  const std::string key = snake_case(name);
  for (const FunctionRow& row : kFunctions) {
    if (row.name == key) return std::string(!keras3 && !row.keras2.empty() ? row.keras2 : row.function);
  }
  if (key == "hard_shrink") {
    return "mul(x,add(" + step(0.5) + ",div_no_nan(relu(sub(negative(x),0.5)),relu(sub(negative(x),0.5)))))";
  }
  return {};
}

KerasTensor add_keras_function(KerasCall& call, const KerasTensor& tensor, const std::string& function,
                               std::string_view suffix) {
  return call.add_same("activation", tensor, {{"function", parse(function)}}, suffix);
}

KerasTensor add_keras_activation(KerasCall& call, const KerasTensor& tensor, const KerasJson* activation,
                                 std::string_view suffix) {
  if (activation == nullptr || activation->is_null()) return tensor;
  std::string name;
  if (activation->is_object()) {
    const KerasConfig object(*activation);
    name = object.text("class_name", "function");
    const KerasJson* config = object.find("config");
    if (config != nullptr && config->is_string()) {
      name = config->get<std::string>();
    } else if (config != nullptr && config->is_object()) {
      KerasCall inner = call;
      inner.class_name = name;
      inner.config = KerasConfig(*config);
      inner.name = suffix.empty() ? call.name : call.name + "/" + std::string(suffix);
      inner.inputs = {tensor};
      inner.operands = {{.tensor = tensor}};
      const KerasHandler handler = find_keras_layer(name);
      if (handler != nullptr && name != "Activation") return handler(inner).at(0);
    }
  } else {
    name = keras_text(*activation, "activation");
  }
  name.erase(0, name.rfind('>') + 1);
  if (snake_case(name) == "softmax") return add_softmax(call, tensor, tensor.axes.size() - 1, suffix);
  const std::optional<std::string> function = keras_function(name, call.keras3());
  if (!function) return add_opaque_function(call, tensor, name, suffix);
  return function->empty() ? tensor : add_keras_function(call, tensor, *function, suffix);
}

KerasTensor with_keras_activation(KerasCall& call, const KerasTensor& tensor) {
  return add_keras_activation(call, tensor, call.config.find("activation"), "activation");
}

namespace {

KerasTensors keras_activation(KerasCall& call) {
  return {add_keras_activation(call, call.input(), call.config.find("activation"), {})};
}

KerasTensors keras_relu(KerasCall& call) {
  const KerasConfig& config = call.config;
  const double slope = config.number("negative_slope", 0), threshold = config.number("threshold", 0);
  std::string function = leaky(slope);
  if (threshold != 0) {
    function = "mul(x," + step(threshold) + ")";
    if (slope != 0) {
      function = "add(" + function + ",mul(" + number_text(slope) + ",min0(sub(x," + number_text(threshold) + "))))";
    }
  }
  if (config.find("max_value") != nullptr)
    function = "min(" + function + "," + number_text(config.number("max_value")) + ")";
  return {add_keras_function(call, call.input(), function)};
}

KerasTensors keras_leaky_relu(KerasCall& call) {
  const double slope = call.config.number("negative_slope", call.config.number("alpha", 0.3));
  return {add_keras_function(call, call.input(), leaky(slope))};
}

KerasTensors keras_elu(KerasCall& call) {
  const double alpha = call.config.number("alpha", 1);
  if (alpha == 1) return {add_keras_function(call, call.input(), "elu(x)")};
  return {add_keras_function(call, call.input(), "add(relu(x),mul(" + number_text(alpha) + ",expm1(min0(x))))")};
}

KerasTensors keras_thresholded_relu(KerasCall& call) {
  return {add_keras_function(call, call.input(), "mul(x," + step(call.config.number("theta", 1)) + ")")};
}

KerasTensors keras_prelu(KerasCall& call) {
  double initial = 0;
  if (const KerasJson* given = call.config.find("alpha_initializer")) {
    const KerasJson* inner = given->is_object() ? KerasConfig(*given).find("config") : nullptr;
    const std::string name =
        given->is_object() ? KerasConfig(*given).text("class_name", "Zeros") : keras_text(*given, "alpha_initializer");
    if (name == "Constant" && inner != nullptr) {
      initial = KerasConfig(*inner).number("value", 0);
    } else if (name == "Ones" || name == "ones") {
      initial = 1;
    } else if (name != "Zeros" && name != "zeros") {
      call.note("has slopes that do not begin with one number (" + name + "); 0 is taken");
    }
  }
  const std::size_t rank = call.rank();
  std::vector<bool> shared(rank);
  for (const std::int64_t axis : call.config.list("shared_axes")) shared[call.axis(axis, rank)] = true;
  const auto count = static_cast<std::size_t>(std::count(shared.begin(), shared.end(), true));
  const std::size_t channel = keras_channel_axis(call.build, call.input());
  std::string scope = "neuron";
  if (count == rank) scope = "layer";
  if (count + 1 == rank && !shared[channel]) scope = "channel";
  if (scope == "neuron" && count > 0) call.note("shares its slopes along some axes; one for each number is taken");
  const std::string alpha = "alpha[" + number_text(initial) + "," + scope + "]";
  return {add_keras_function(call, call.input(), "add(relu(x)," + alpha + "(min0(x)))")};
}

KerasTensors keras_softmax(KerasCall& call) {
  const KerasJson* axes = call.setting("axis");
  if (axes != nullptr && axes->is_array() && axes->size() != 1) {
    return keras_opaque(call, "is a softmax over several axes, which is not modelled");
  }
  const std::int64_t given = axes == nullptr ? -1 : keras_integer(axes->is_array() ? (*axes)[0] : *axes, "axis");
  return {add_softmax(call, call.input(), call.axis(given, call.rank()), {})};
}

KerasTensors keras_rescaling(KerasCall& call) {
  const KerasJson *scale = call.config.find("scale"), *offset = call.config.find("offset");
  if ((scale != nullptr && !scale->is_number()) || (offset != nullptr && !offset->is_number())) {
    return keras_opaque(call, "scales each channel on its own, which is not modelled");
  }
  const std::string function = "add(mul(" + number_text(call.config.number("scale", 1)) + ",x)," +
                               number_text(call.config.number("offset", 0)) + ")";
  return {add_keras_function(call, call.input(), function)};
}

KerasTensors keras_named_function(KerasCall& call) {
  if (call.class_name == "Gelu") {
    const KerasJson* approximate = call.setting("approximate");
    // By default keras.ops approximates, and TensorFlow does not.
    if (approximate == nullptr ? call.keras3() : *approximate == true)
      return {add_keras_function(call, call.input(), "gelu(x)")};
  }
  if (call.class_name == "LeakyRelu") {
    const KerasJson* slope = call.setting("negative_slope");
    return {
        add_keras_function(call, call.input(), leaky(slope == nullptr ? 0.2 : keras_number(*slope, "negative_slope")))};
  }
  const std::optional<std::string> function = keras_function(call.class_name, call.keras3());
  if (!function) refuse("there is no function " + call.class_name);
  return {add_keras_function(call, call.input(), *function)};
}

constexpr KerasLayerRow kRows[] = {
    {"Activation", keras_activation},
    {"ReLU", keras_relu},
    {"LeakyReLU", keras_leaky_relu},
    {"PReLU", keras_prelu},
    {"ELU", keras_elu},
    {"ThresholdedReLU", keras_thresholded_relu},
    {"Softmax", keras_softmax},
    {"Rescaling", keras_rescaling},
    {"Relu", keras_named_function},
    {"Relu6", keras_named_function},
    {"LeakyRelu", keras_named_function},
    {"Elu", keras_named_function},
    {"Celu", keras_named_function},
    {"Selu", keras_named_function},
    {"Gelu", keras_named_function},
    {"Silu", keras_named_function},
    {"HardSilu", keras_named_function},
    {"HardSigmoid", keras_named_function},
    {"HardTanh", keras_named_function},
    {"LogSigmoid", keras_named_function},
    {"Mish", keras_named_function},
    {"Sigmoid", keras_named_function},
    {"Softplus", keras_named_function},
    {"Softsign", keras_named_function},
    {"Squareplus", keras_named_function},
    {"SoftShrink", keras_named_function},
    {"HardShrink", keras_named_function},
    {"TanhShrink", keras_named_function},
    {"SparseSigmoid", keras_named_function},
    {"Tanh", keras_named_function},
    {"Exp", keras_named_function},
    {"Expm1", keras_named_function},
    {"Square", keras_named_function},
    {"Sqrt", keras_named_function},
    {"Abs", keras_named_function},
    {"Absolute", keras_named_function},
    {"Negative", keras_named_function},
    {"Reciprocal", keras_named_function},
    {"Sin", keras_named_function},
    {"Cos", keras_named_function},
    {"Sinh", keras_named_function},
    {"Cosh", keras_named_function},
    {"Erf", keras_named_function},
    {"Arcsinh", keras_named_function},
    {"Arctan", keras_named_function},
};

}  // namespace

std::span<const KerasLayerRow> keras_activation_layers() { return kRows; }

}  // namespace actforge
