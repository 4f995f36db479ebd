#include "actforge/keras/call.h"

#include <algorithm>

#include "actforge/base/error.h"

namespace actforge {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorCode::kBadInput, why); }

// Keras' shape of the call's first output as another layer of the file says it. Unknown extents are those of the input.
std::optional<Shape> told_shape(const KerasCall& call) {
  if (call.node.shapes.empty() || call.node.shapes[0] == nullptr) return {};
  const KerasJson& told = *call.node.shapes[0];
  if (!told.is_array() || told.size() < 2 || told.size() > kMaxRank + 1) return {};
  Shape shape;
  const Shape input = call.inputs.empty() ? Shape() : call.shape();
  for (std::size_t i = 1; i < told.size(); ++i) {
    if (!told[i].is_null()) {
      shape.push_back(keras_integer(told[i], "shape"));
    } else if (i - 1 < input.size()) {
      shape.push_back(input[i - 1]);
    } else {
      return {};
    }
  }
  return shape;
}

}  // namespace

const KerasTensor& KerasCall::input() const {
  if (inputs.empty()) refuse("it has no input");
  return inputs[0];
}

LayerId KerasCall::add(std::string_view kind, const KerasTensors& tensors, const Attributes& attributes,
                       std::string_view suffix, std::vector<KerasWeightEntry> places) {
  std::vector<LayerId> ids;
  for (const KerasTensor& tensor : tensors) ids.push_back(tensor.layer);
  for (KerasWeightEntry& place : places) place.config = config_place;
  return build.add(kind, ids, attributes, suffix.empty() ? name : name + "/" + std::string(suffix), std::move(places));
}

KerasTensor KerasCall::add_same(std::string_view kind, const KerasTensor& tensor, const Attributes& attributes,
                                std::string_view suffix, std::vector<KerasWeightEntry> places) {
  return {add(kind, {tensor}, attributes, suffix, std::move(places)), tensor.axes};
}

std::size_t KerasCall::axis(std::int64_t keras_axis, std::size_t rank) const {
  const auto extents = static_cast<std::int64_t>(rank) + 1;
  const std::int64_t from_front = keras_axis < 0 ? keras_axis + extents : keras_axis;
  if (from_front == 0) refuse("it acts along the batch");
  if (from_front < 0 || from_front >= extents) {
    refuse("axis " + std::to_string(keras_axis) + " is not among the " + std::to_string(extents) + " of its input");
  }
  return static_cast<std::size_t>(from_front) - 1;
}

std::size_t KerasCall::channel_axis(std::size_t rank) const {
  return config.text("data_format", "channels_last") == "channels_first" ? 0 : rank - 1;
}

KerasTensor KerasCall::with_channels(const KerasTensor& tensor, std::size_t channel) const {
  return build.arranged(tensor, tensor.axes, channel);
}

KerasTensor KerasCall::channels_first(const KerasTensor& tensor, std::size_t channel) const {
  return build.arranged(tensor, first_axes(tensor.axes.size(), channel), channel);
}

KerasTensor KerasCall::in_keras_order(const KerasTensor& tensor) const {
  return build.arranged(tensor, same_axes(tensor.axes.size()), tensor.axes.size() - 1);
}

const KerasJson* KerasCall::setting(std::string_view key) const {
  if (const KerasJson* json = config.find(key)) return json;
  for (const KerasOperand& operand : operands) {
    if (operand.key == key && operand.value != nullptr && !operand.value->is_null()) return operand.value;
  }
  return nullptr;
}

const KerasJson* KerasCall::value(std::size_t place, std::string_view key) const {
  if (const KerasJson* json = setting(key)) return json;
  if (place >= operands.size() || !operands[place].key.empty()) return nullptr;
  return operands[place].value;
}

KerasTensors keras_opaque(KerasCall& call, const std::string& reason, std::optional<Shape> shape) {
  constexpr std::size_t kLongest = 60;
  const std::string type = network_name(call.class_name).substr(0, kLongest);
  if (!shape) shape = told_shape(call);
  if (!shape && call.inputs.empty()) {
    refuse("it is not known here, and the file does not say the shape of its output");
  }
  KerasTensor output;
  if (!shape || (!call.inputs.empty() && *shape == call.shape())) {
    const Signal& signal = call.build.signal(call.inputs[0].layer);
    output.axes = call.inputs[0].axes;
    output.layer =
        call.add("opaque", call.inputs,
                 {{"type", type}, {"shape", signal.shape}, {"channels", std::to_string(signal.channel_axis)}});
  } else {
    output.axes = same_axes(shape->size());
    output.layer =
        call.add("opaque", call.inputs, {{"type", type}, {"shape", *shape}, {"channels", std::string("-1")}});
  }
  call.note("(" + type + ") " + reason);
  return {output};
}

KerasTensors unknown_keras_layer(KerasCall& call) {
  return keras_opaque(call, "is not known here: what it does to the signal is not modelled");
}

}  // namespace actforge
