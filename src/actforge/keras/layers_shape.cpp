// Layers that move numbers without changing them.
#include <algorithm>

#include "actforge/base/error.h"
#include "actforge/keras/layers.h"

namespace actforge {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorCode::kBadInput, why); }

// 1x1xC out of C can stand with the channels first at once.
bool is_gate(const Shape& from, const Shape& to) {
  return from.size() == 1 && to.size() >= 3 && to.back() == from[0] &&
         std::all_of(to.begin(), to.end() - 1, [](std::int64_t extent) { return extent == 1; });
}

// New extents in Keras' order; one may be -1.
KerasTensors reshaped(KerasCall& call, const Shape& shape) {
  if (shape.empty() || shape.size() > kMaxRank) refuse("a shape has one to eight extents");
  for (const std::int64_t extent : shape) {
    if (extent == 0 || extent < -1) refuse("the shape " + shape_text(shape) + " is none");
  }
  if (is_gate(call.shape(), shape)) {
    Shape first(shape.size(), 1);
    first[0] = shape.back();
    const LayerId layer = call.add("reshape", {call.input()}, {{"shape", first}, {"channels", std::string("0")}});
    return {{layer, first_axes(shape.size(), shape.size() - 1)}};
  }
  const LayerId layer = call.add("reshape", {call.in_keras_order(call.input())}, {{"shape", shape}});
  return {{layer, same_axes(shape.size())}};
}

KerasTensors keras_flatten(KerasCall& call) { return {{call.add("flatten", {call.input()}), same_axes(1)}}; }

KerasTensors keras_reshape(KerasCall& call) {
  // A layer's target_shape is without the batch; an operation's newshape and TensorFlow's shape are with it.
  const KerasJson* json = call.config.find("target_shape");
  const bool batch = json == nullptr;
  if (batch) json = call.value(1, "newshape");
  if (batch && json == nullptr) json = call.value(1, "shape");
  if (json == nullptr || !json->is_array()) refuse("it has no list of new extents");
  if (json->size() > kMaxRank + 1) refuse("a shape has at most eight extents");
  if (batch && json->empty()) refuse("its shape has no batch");
  Shape shape;
  for (std::size_t i = batch ? 1 : 0; i < json->size(); ++i) {
    shape.push_back((*json)[i].is_null() ? -1 : keras_integer((*json)[i], "target_shape"));
  }
  return reshaped(call, shape);
}

KerasTensors keras_permute(KerasCall& call) {
  Shape order = call.config.list("dims");
  for (std::int64_t& axis : order) --axis;  // counted from 1
  // The channels stay what they are: those of the extent that was the last one in Keras.
  const KerasTensor input = call.in_keras_order(call.input());
  const LayerId layer = call.add("permute", {input}, {{"order", order}});
  return {{layer, same_axes(order.size())}};
}

KerasTensors keras_repeat_vector(KerasCall& call) {
  const std::int64_t times = call.config.integer("n");
  if (call.rank() != 1) refuse("it repeats vectors; its input is " + shape_text(call.shape()));
  if (times < 1 || times > 1 << 16) refuse("'n' should be from 1 to 65536");
  const Shape shape = {times, call.shape()[0]};
  if (times > 64) return keras_opaque(call, "repeats a vector more than 64 times, which is not modelled", shape);
  const LayerId column =
      call.add("reshape", {call.input()}, {{"shape", Shape{shape[1], 1}}, {"channels", std::string("0")}}, "column");
  return {{call.add("up_sampling", {{column, {}}}, {{"factor", times}}), {1, 0}}};
}

KerasTensors keras_resizing(KerasCall& call) {
  Shape shape = call.shape();
  if (shape.size() == 3) {
    const std::size_t top = call.channel_axis(3) == 0 ? 1 : 0;
    shape[top] = call.config.integer("height");
    shape[top + 1] = call.config.integer("width");
  }
  return keras_opaque(call, "makes images of another size, which is not modelled", shape);
}

constexpr KerasLayerRow kRows[] = {
    {"Flatten", keras_flatten},     {"Reshape", keras_reshape},
    {"Permute", keras_permute},     {"RepeatVector", keras_repeat_vector},
    {"Resizing", keras_resizing},   {"CenterCrop", keras_resizing},
    {"RandomCrop", keras_resizing},
};

}  // namespace

std::span<const KerasLayerRow> keras_shape_layers() { return kRows; }

}  // namespace actforge
