// Layers that bring several tensors together.
#include <algorithm>

#include "actforge/base/error.h"
#include "actforge/keras/align.h"
#include "actforge/keras/layers.h"

namespace actforge {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorCode::kBadInput, why); }

struct MergeRow {
  std::string_view class_name, kind;
};
constexpr MergeRow kMerges[] = {{"Add", "add"},         {"Subtract", "subtract"}, {"Multiply", "multiply"},
                                {"Average", "average"}, {"Maximum", "maximum"},   {"Minimum", "minimum"}};

// Its numbers in Keras' order with extents of 1 in front.
KerasTensor with_rank(KerasCall& call, const KerasTensor& tensor, std::size_t rank) {
  const KerasTensor plain = call.in_keras_order(tensor);
  Shape shape = keras_shape(call.build, plain);
  shape.insert(shape.begin(), rank - shape.size(), 1);
  return {call.add("reshape", {plain}, {{"shape", shape}}, "extents"), same_axes(rank)};
}

// The axes that are summed over, one of each.
std::optional<std::pair<std::size_t, std::size_t>> dot_axes(const KerasCall& call) {
  const Shape axes = call.config.list("axes", {-1});
  if (axes.empty() || axes.size() > 2) return {};
  return std::make_pair(call.axis(axes[0], call.inputs[0].axes.size()),
                        call.axis(axes.back(), call.inputs[1].axes.size()));
}

KerasTensors opaque_dot(KerasCall& call, std::size_t a, std::size_t b) {
  Shape shape = keras_shape(call.build, call.inputs[0]), other = keras_shape(call.build, call.inputs[1]);
  shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(a));
  other.erase(other.begin() + static_cast<std::ptrdiff_t>(b));
  shape.insert(shape.end(), other.begin(), other.end());
  if (shape.empty()) shape = {1};
  return keras_opaque(call, "is a product of another kind, which is not modelled", shape);
}

}  // namespace

KerasTensors aligned_tensors(KerasCall& call, const KerasTensors& tensors) {
  const auto size = [&](const KerasTensor& tensor) {
    return std::make_pair(tensor.axes.size(), element_count(call.build.signal(tensor.layer).shape));
  };
  const KerasTensor largest = *std::max_element(
      tensors.begin(), tensors.end(), [&](const KerasTensor& a, const KerasTensor& b) { return size(a) < size(b); });
  const std::size_t rank = largest.axes.size(), channel = keras_channel_axis(call.build, largest);
  KerasTensors aligned;
  for (const KerasTensor& tensor : tensors) {
    const KerasTensor full = tensor.axes.size() == rank ? tensor : with_rank(call, tensor, rank);
    aligned.push_back(call.build.arranged(full, largest.axes, channel));
  }
  return aligned;
}

KerasTensors keras_merge(KerasCall& call) {
  const auto row = std::find_if(std::begin(kMerges), std::end(kMerges),
                                [&](const MergeRow& merge) { return merge.class_name == call.class_name; });
  if (row == std::end(kMerges)) refuse("there is no merge " + call.class_name);
  if (call.inputs.size() < 2) refuse("it needs two inputs or more");
  const KerasTensors inputs = aligned_tensors(call, call.inputs);
  return {{call.add(row->kind, inputs), inputs[0].axes}};
}

namespace {

KerasTensors keras_concatenate(KerasCall& call) {
  if (call.inputs.size() == 1) return {call.input()};
  const std::size_t rank = call.rank();
  for (const KerasTensor& input : call.inputs) {
    if (input.axes.size() != rank) refuse("its inputs have different numbers of extents");
  }
  const KerasJson* given = call.setting("axis");
  const std::size_t axis = call.axis(given == nullptr ? -1 : keras_integer(*given, "axis"), rank);
  const std::size_t channel = keras_channel_axis(call.build, call.input());
  KerasTensors inputs;
  for (const KerasTensor& input : call.inputs) {
    inputs.push_back(call.build.arranged(input, call.inputs[0].axes, channel));
  }
  const std::size_t place = inputs[0].axes[axis];
  return {{call.add("concatenate", inputs, {{"axis", std::to_string(place)}}), inputs[0].axes}};
}

KerasTensors keras_dot(KerasCall& call) {
  if (call.inputs.size() != 2) refuse("it takes two inputs");
  const auto axes = dot_axes(call);
  if (!axes) refuse("'axes' should be one number or two");
  const auto [a, b] = *axes;
  const std::size_t rank = call.rank();
  if (call.config.flag("normalize", false) || call.inputs[1].axes.size() != rank || rank > 2) {
    return opaque_dot(call, a, b);
  }
  const KerasTensor left = call.in_keras_order(call.inputs[0]), right = call.in_keras_order(call.inputs[1]);
  if (rank == 2) {
    const LayerId layer = call.add("matmul", {left, right}, {{"transpose_a", a == 0}, {"transpose_b", b == 1}});
    return {{layer, same_axes(2)}};
  }
  const LayerId product = call.add("multiply", {left, right}, {}, "product");
  return {{call.add("reduce_sum", {{product, {}}}, {{"axes", Shape{0}}}), same_axes(1)}};
}

constexpr KerasLayerRow kRows[] = {
    {"Average", keras_merge},
    {"Concatenate", keras_concatenate},
    {"Dot", keras_dot},
};

}  // namespace

std::span<const KerasLayerRow> keras_merge_layers() { return kRows; }

}  // namespace actforge
