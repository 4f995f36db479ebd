// Calls of keras.ops and of TensorFlow's functions, which stand among the layers of a functional model.
#include <algorithm>

#include "actforge/base/error.h"
#include "actforge/expr/language/print.h"
#include "actforge/keras/activations.h"
#include "actforge/keras/layers.h"

namespace actforge {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorCode::kBadInput, why); }

// The tensor x and the number c of x + c, c * x, ...
struct Scalar {
  double value;
  bool first;  // c - x, c / x
};

std::optional<Scalar> scalar_operand(const KerasCall& call) {
  std::optional<Scalar> scalar;
  bool seen = false;
  for (const KerasOperand& operand : call.operands) {
    if (operand.tensor) seen = true;
    if (operand.value == nullptr || !operand.value->is_number() || scalar) continue;
    if (operand.key.empty() || operand.key == "y" || operand.key == "x" || operand.key == "x2" || operand.key == "x1") {
      scalar = Scalar{keras_number(*operand.value, "operand"), !seen};
    }
  }
  return scalar;
}

std::string scalar_function(const std::string& class_name, const Scalar& scalar) {
  const std::string number = number_text(scalar.value);
  const std::string a = scalar.first ? number : "x", b = scalar.first ? "x" : number;
  if (class_name == "Add") return "add(x," + number + ")";
  if (class_name == "Subtract") return "sub(" + a + "," + b + ")";
  if (class_name == "Multiply") return "mul(" + number + ",x)";
  if (class_name == "Divide" || class_name == "TrueDivide") return "div(" + a + "," + b + ")";
  if (class_name == "Maximum") return "max(x," + number + ")";
  if (class_name == "Minimum") return "min(x," + number + ")";
  if (class_name == "Power") return "pow(" + a + "," + b + ")";
  return {};
}

struct FunctionRow {
  std::string_view tensorflow, class_name;
};
constexpr FunctionRow kTensorflow[] = {
    {"math.add", "Add"},
    {"__operators__.add", "Add"},
    {"math.subtract", "Subtract"},
    {"math.multiply", "Multiply"},
    {"math.truediv", "Divide"},
    {"math.divide", "Divide"},
    {"math.maximum", "Maximum"},
    {"math.minimum", "Minimum"},
    {"math.pow", "Power"},
    {"linalg.matmul", "Matmul"},
    {"math.reduce_mean", "Mean"},
    {"math.reduce_sum", "Sum"},
    {"nn.relu", "Relu"},
    {"nn.relu6", "Relu6"},
    {"nn.elu", "Elu"},
    {"nn.selu", "Selu"},
    {"nn.silu", "Silu"},
    {"nn.swish", "Silu"},
    {"nn.gelu", "Gelu"},
    {"nn.softmax", "Softmax"},
    {"nn.softplus", "Softplus"},
    {"math.softplus", "Softplus"},
    {"nn.softsign", "Softsign"},
    {"nn.sigmoid", "Sigmoid"},
    {"math.sigmoid", "Sigmoid"},
    {"math.tanh", "Tanh"},
    {"nn.tanh", "Tanh"},
    {"math.exp", "Exp"},
    {"math.square", "Square"},
    {"math.sqrt", "Sqrt"},
    {"math.abs", "Abs"},
    {"math.negative", "Negative"},
    {"math.sin", "Sin"},
    {"math.cos", "Cos"},
    {"math.erf", "Erf"},
    {"concat", "Concatenate"},
    {"reshape", "Reshape"},
    {"transpose", "Transpose"},
    {"compat.v1.transpose", "Transpose"},
    {"expand_dims", "ExpandDims"},
    {"squeeze", "Squeeze"},
    {"compat.v1.squeeze", "Squeeze"},
    {"identity", "Identity"},
    {"stop_gradient", "Identity"},
    {"cast", "Identity"},
    {"nn.softmax_v2", "Softmax"},
    {"__operators__.getitem", "GetItem"},
};

// Keras' axes without the batch; nothing where the batch is among them.
std::optional<std::vector<std::size_t>> given_axes(const KerasCall& call, const KerasJson& json) {
  std::vector<std::size_t> axes;
  if (json.size() > kMaxRank) refuse("it names too many axes");
  const KerasJson list = json.is_array() ? json : KerasJson::array({json});
  for (const KerasJson& axis : list) {
    const std::int64_t number = keras_integer(axis, "axis");
    if (number == 0 || number == -static_cast<std::int64_t>(call.rank()) - 1) return {};
    axes.push_back(call.axis(number, call.rank()));
  }
  return axes;
}

KerasTensors keras_arithmetic(KerasCall& call) {
  if (call.inputs.size() == 1) {
    const std::optional<Scalar> scalar = scalar_operand(call);
    const std::string function = scalar ? scalar_function(call.class_name, *scalar) : "";
    if (function.empty()) return keras_opaque(call, "takes numbers of the file, which are not modelled");
    return {add_keras_function(call, call.input(), function)};
  }
  if (call.class_name == "Divide" || call.class_name == "TrueDivide" || call.class_name == "Power") {
    return keras_opaque(call, "acts on two tensors, which is not modelled");
  }
  return keras_merge(call);
}

KerasTensors keras_matmul(KerasCall& call) {
  const auto flag = [&](std::string_view key) {
    const KerasJson* json = call.setting(key);
    return json != nullptr && json->is_boolean() && json->get<bool>();
  };
  if (call.inputs.size() != 2 || call.rank() < 2 || call.inputs[1].axes.size() != call.rank()) {
    return keras_opaque(call, "is a product of another kind, which is not modelled");
  }
  const KerasTensors inputs = {call.in_keras_order(call.inputs[0]), call.in_keras_order(call.inputs[1])};
  const LayerId layer =
      call.add("matmul", inputs, {{"transpose_a", flag("transpose_a")}, {"transpose_b", flag("transpose_b")}});
  return {{layer, same_axes(call.rank())}};
}

KerasTensors keras_reduce(KerasCall& call) {
  const KerasJson* given = call.value(1, "axis");
  const KerasJson* keep_json = call.setting("keepdims");
  const bool keep = keep_json != nullptr && keep_json->is_boolean() && keep_json->get<bool>();
  const auto axes = given == nullptr ? std::nullopt : given_axes(call, *given);
  if (!axes) return keras_opaque(call, "sums over the batch, which is not modelled");
  Shape extents;
  std::vector<std::size_t> places;  // of the extents that stay
  for (std::size_t k = 0; k < call.rank(); ++k) {
    const std::size_t extent = call.input().axes[k];
    if (std::find(axes->begin(), axes->end(), k) != axes->end()) {
      extents.push_back(static_cast<std::int64_t>(extent));
    } else {
      places.push_back(extent);
    }
  }
  if (extents.empty()) return {call.input()};
  const LayerId layer = call.add(call.class_name == "Mean" ? "reduce_mean" : "reduce_sum", {call.input()},
                                 {{"axes", extents}, {"keep", keep}});
  if (keep) return {{layer, call.input().axes}};
  if (places.empty()) return {{layer, same_axes(1)}};
  // Extents that went leave no gaps.
  std::vector<std::size_t> sorted = places;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t& place : places) {
    place = static_cast<std::size_t>(std::lower_bound(sorted.begin(), sorted.end(), place) - sorted.begin());
  }
  return {{layer, places}};
}

KerasTensors keras_transpose(KerasCall& call) {
  const KerasJson* json = call.value(1, "axes");
  if (json == nullptr) json = call.value(1, "perm");
  if (json == nullptr || !json->is_array() || json->size() != call.rank() + 1 || (*json)[0] != 0) {
    return keras_opaque(call, "moves the batch, which is not modelled");
  }
  Shape order;
  for (std::size_t i = 1; i < json->size(); ++i) {
    order.push_back(static_cast<std::int64_t>(call.axis(keras_integer((*json)[i], "axes"), call.rank())));
  }
  const LayerId layer = call.add("permute", {call.in_keras_order(call.input())}, {{"order", order}});
  return {{layer, same_axes(order.size())}};
}

KerasTensors keras_expand_dims(KerasCall& call) {
  const KerasJson* json = call.value(1, "axis");
  if (json == nullptr || !json->is_number()) return keras_opaque(call, "adds extents in a way that is not modelled");
  const std::size_t at = call.axis(keras_integer(*json, "axis"), call.rank() + 1);
  Shape shape = call.shape();
  shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(at), 1);
  const LayerId layer = call.add("reshape", {call.in_keras_order(call.input())}, {{"shape", shape}});
  return {{layer, same_axes(shape.size())}};
}

KerasTensors keras_squeeze(KerasCall& call) {
  const KerasJson* json = call.value(1, "axis");
  const auto axes = json == nullptr ? std::nullopt : given_axes(call, *json);
  Shape shape;
  const Shape from = call.shape();
  for (std::size_t k = 0; k < from.size(); ++k) {
    const bool named = axes && std::find(axes->begin(), axes->end(), k) != axes->end();
    if (from[k] != 1 || (axes && !named)) shape.push_back(from[k]);
  }
  if (shape.empty()) shape = {1};
  const LayerId layer = call.add("reshape", {call.in_keras_order(call.input())}, {{"shape", shape}});
  return {{layer, same_axes(shape.size())}};
}

// Slices with a step of 1 and single places, one after another.
KerasTensors keras_get_item(KerasCall& call) {
  const KerasJson* key = call.value(1, "key");
  if (key == nullptr) key = call.setting("slice_spec");
  if (key != nullptr && key->size() > kMaxRank + 1) return unknown_keras_layer(call);
  const KerasJson all = key == nullptr ? KerasJson() : key->is_array() ? *key : KerasJson::array({*key});
  if (key == nullptr || all.empty() || all.size() > call.rank() + 1) return unknown_keras_layer(call);
  const auto bounds = [&](const KerasJson& part,
                          std::int64_t extent) -> std::optional<std::pair<std::int64_t, std::int64_t>> {
    const auto from_end = [&](std::int64_t at) {
      return std::clamp(at < 0 ? at + extent : at, std::int64_t{0}, extent);
    };
    if (part.is_number_integer()) {
      const std::int64_t at = keras_integer(part, "key");
      if (at < -extent || at >= extent) refuse("there is no place " + std::to_string(at));
      return std::make_pair(from_end(at), std::int64_t{1});
    }
    if (!part.is_object()) return {};
    // Keras 3 writes an object of a class, Keras 2 the settings alone.
    const auto inner = part.find("config");
    if (inner == part.end() && !part.contains("start")) return {};
    const KerasConfig slice(inner == part.end() ? part : *inner);
    if (slice.integer("step", 1) != 1) return {};
    const std::int64_t start = from_end(slice.integer("start", 0)), stop = from_end(slice.integer("stop", extent));
    if (stop <= start) return {};
    return std::make_pair(start, stop - start);
  };
  const auto batch = bounds(all[0], 1);
  if (!batch || all[0].is_number()) return unknown_keras_layer(call);
  std::vector<std::pair<std::int64_t, std::int64_t>> parts;
  const Shape shape = call.shape();
  for (std::size_t k = 1; k < all.size(); ++k) {
    const auto part = bounds(all[k], shape[k - 1]);
    if (!part) return unknown_keras_layer(call);
    parts.push_back(*part);
  }
  KerasTensor tensor = call.input();
  Shape rest = shape;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    if (parts[k].second == shape[k]) continue;
    tensor = call.add_same(
        "slice", tensor,
        {{"axis", std::to_string(tensor.axes[k])}, {"begin", parts[k].first}, {"length", parts[k].second}}, "slice");
  }
  rest.clear();
  const Shape cut = keras_shape(call.build, tensor);
  for (std::size_t k = 0; k < cut.size(); ++k) {
    if (k + 1 >= all.size() || !all[k + 1].is_number()) rest.push_back(cut[k]);
  }
  if (rest.size() == cut.size()) return {tensor};
  if (rest.empty()) rest = {1};
  const LayerId layer = call.add("reshape", {call.in_keras_order(tensor)}, {{"shape", rest}});
  return {{layer, same_axes(rest.size())}};
}

KerasTensors keras_clip(KerasCall& call) {
  const KerasJson *least = call.value(1, "x_min"), *most = call.value(2, "x_max");
  if (least == nullptr || most == nullptr || !least->is_number() || !most->is_number())
    return unknown_keras_layer(call);
  return {add_keras_function(call, call.input(),
                             "max(" + number_text(keras_number(*least, "x_min")) + ",min(" +
                                 number_text(keras_number(*most, "x_max")) + ",x))")};
}

KerasTensors keras_tensorflow_function(KerasCall& call) {
  const std::string function = call.config.text("function", "");
  for (const FunctionRow& row : kTensorflow) {
    if (row.tensorflow != function) continue;
    call.class_name = std::string(row.class_name);
    return find_keras_layer(row.class_name)(call);
  }
  call.class_name = function.empty() ? call.class_name : function;
  return unknown_keras_layer(call);
}

// Of keras.ops in Keras 3, and by their function those of TensorFlow in Keras 2.
constexpr KerasLayerRow kRows[] = {
    {"Add", keras_arithmetic},
    {"Subtract", keras_arithmetic},
    {"Multiply", keras_arithmetic},
    {"Maximum", keras_arithmetic},
    {"Minimum", keras_arithmetic},
    {"TFOpLambda", keras_tensorflow_function},
    {"SlicingOpLambda", keras_tensorflow_function},
    {"Divide", keras_arithmetic},
    {"TrueDivide", keras_arithmetic},
    {"Power", keras_arithmetic},
    {"Matmul", keras_matmul},
    {"Mean", keras_reduce},
    {"Sum", keras_reduce},
    {"Transpose", keras_transpose},
    {"ExpandDims", keras_expand_dims},
    {"Squeeze", keras_squeeze},
    {"GetItem", keras_get_item},
    {"Clip", keras_clip},
};

}  // namespace

std::span<const KerasLayerRow> keras_operation_layers() { return kRows; }

}  // namespace actforge
