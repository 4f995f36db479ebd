// Layers that bring several signals together.
#include <algorithm>
#include <charconv>
#include <optional>

#include "actforge/base/error.h"
#include "actforge/net/graph/axes.h"
#include "actforge/net/layers/layers.h"

namespace actforge {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorCode::kBadInput, why); }

std::string input_shapes(const LayerSetting& layer) {
  std::string text;
  for (const Signal& input : layer.inputs) text += (text.empty() ? "" : " and ") + shape_text(input.shape);
  return text;
}

[[noreturn]] void refuse_axes(const LayerSetting& layer) {
  refuse("its inputs " + input_shapes(layer) + " do not count their channels in the same place");
}

// Where the inputs differ, that of an input that is not repeated decides: a gate 16x1x1 made by a reshape may well
// count its channels last.
std::size_t common_channel_axis(const LayerSetting& layer, const Shape& shape) {
  std::optional<std::size_t> axis;
  for (const Signal& input : layer.inputs) {
    if (input.shape != shape) continue;
    if (axis && *axis != input.channel_axis) refuse_axes(layer);
    axis = input.channel_axis;
  }
  return axis.value_or(layer.inputs[0].channel_axis);
}

// Number by number; an extent of 1 is repeated.
Signal infer_elementwise(const LayerSetting& layer) {
  Signal output = layer.inputs[0];
  for (const Signal& input : layer.inputs) {
    if (input.indices) refuse("it needs values, not indices");
    if (input.shape.size() != output.shape.size()) refuse("its inputs do not fit: " + input_shapes(layer));
    for (std::size_t i = 0; i < output.shape.size(); ++i) {
      const std::int64_t a = output.shape[i], b = input.shape[i];
      if (a != b && a != 1 && b != 1) refuse("its inputs do not fit: " + input_shapes(layer));
      output.shape[i] = std::max(a, b);
    }
  }
  output.channel_axis = common_channel_axis(layer, output.shape);
  return output;
}

constexpr AttributeRow kWeightedSumRows[] = {
    {"initial", AttributeType::kNumber, "1", "the factor that each input begins with"},
};

std::vector<Weight> weighted_sum_weights(const LayerSetting& layer) {
  return {{.name = "factors",
           .role = WeightRole::kGain,
           .shape = {static_cast<std::int64_t>(layer.inputs.size())},
           .initial = layer.number("initial")}};
}

constexpr AttributeRow kConcatenateRows[] = {
    {"axis", AttributeType::kWord, "channels", "the extent that grows: channels, or its number from 0"},
};

Signal infer_concatenate(const LayerSetting& layer) {
  Signal output = layer.inputs[0];
  const std::size_t axis = concatenate_axis(layer);
  for (std::size_t k = 1; k < layer.inputs.size(); ++k) {
    Shape rest = layer.inputs[k].shape, wanted = output.shape;
    if (rest.size() != wanted.size() || layer.inputs[k].indices != output.indices) {
      refuse("its inputs do not fit: " + input_shapes(layer));
    }
    if (layer.inputs[k].channel_axis != output.channel_axis) refuse_axes(layer);
    std::swap(rest[axis], wanted[axis]);
    output.shape[axis] += wanted[axis];
    wanted[axis] = rest[axis] = 0;
    if (rest != wanted) refuse("its inputs do not fit: " + input_shapes(layer));
  }
  return output;
}

constexpr AttributeRow kMatmulRows[] = {
    {"transpose_a", AttributeType::kFlag, "false", "transpose the first one's last two extents"},
    {"transpose_b", AttributeType::kFlag, "false", "transpose the second one's last two extents"},
    {"scale", AttributeType::kNumber, "1", "multiplies the product"},
};

Signal infer_matmul(const LayerSetting& layer) {
  Shape a = layer.inputs[0].shape, b = layer.inputs[1].shape;
  if (layer.inputs[0].indices || layer.inputs[1].indices) refuse("it needs values, not indices");
  if (a.size() < 2 || a.size() != b.size()) refuse("it needs two stacks of matrices, not " + input_shapes(layer));
  const std::size_t last = a.size() - 1;
  if (layer.flag("transpose_a")) std::swap(a[last], a[last - 1]);
  if (layer.flag("transpose_b")) std::swap(b[last], b[last - 1]);
  if (a[last] != b[last - 1] || !std::equal(a.begin(), a.end() - 2, b.begin())) {
    refuse("these do not multiply: " + shape_text(a) + " and " + shape_text(b));
  }
  a[last] = b[last];
  return {.shape = a, .channel_axis = last};
}

}  // namespace

std::size_t axis_number(const std::string& text, const Signal& signal) {
  if (text == "channels") return signal.channel_axis;
  std::int64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end) {
    refuse("an extent is named by 'channels' or by a whole number, not by '" + text + "'");
  }
  const auto rank = static_cast<std::int64_t>(signal.shape.size());
  if (number < -rank || number >= rank) {
    refuse("axis " + text + " is not among those of " + shape_text(signal.shape));
  }
  return static_cast<std::size_t>(number < 0 ? number + rank : number);
}

std::size_t concatenate_axis(const LayerSetting& layer) { return axis_number(layer.word("axis"), layer.inputs[0]); }

const LayerKind kAddLayer = {.name = "add",
                             .summary = "the sum of its inputs",
                             .family = LayerFamily::kMerge,
                             .least_inputs = 2,
                             .most_inputs = kManyInputs,
                             .attributes = {},
                             .infer = infer_elementwise};

const LayerKind kSubtractLayer = {.name = "subtract",
                                  .summary = "the first input minus the second",
                                  .family = LayerFamily::kMerge,
                                  .least_inputs = 2,
                                  .most_inputs = 2,
                                  .attributes = {},
                                  .infer = infer_elementwise};

const LayerKind kMultiplyLayer = {.name = "multiply",
                                  .summary = "the product of its inputs, number by number",
                                  .family = LayerFamily::kMerge,
                                  .least_inputs = 2,
                                  .most_inputs = kManyInputs,
                                  .attributes = {},
                                  .infer = infer_elementwise};

const LayerKind kAverageLayer = {.name = "average",
                                 .summary = "the average of its inputs",
                                 .family = LayerFamily::kMerge,
                                 .least_inputs = 2,
                                 .most_inputs = kManyInputs,
                                 .attributes = {},
                                 .infer = infer_elementwise};

const LayerKind kMaximumLayer = {.name = "maximum",
                                 .summary = "the largest of its inputs, number by number",
                                 .family = LayerFamily::kMerge,
                                 .least_inputs = 2,
                                 .most_inputs = kManyInputs,
                                 .attributes = {},
                                 .infer = infer_elementwise};

const LayerKind kMinimumLayer = {.name = "minimum",
                                 .summary = "the smallest of its inputs, number by number",
                                 .family = LayerFamily::kMerge,
                                 .least_inputs = 2,
                                 .most_inputs = kManyInputs,
                                 .attributes = {},
                                 .infer = infer_elementwise};

const LayerKind kWeightedSumLayer = {.name = "weighted_sum",
                                     .summary = "the sum of its inputs, each times a learned number",
                                     .family = LayerFamily::kMerge,
                                     .least_inputs = 1,
                                     .most_inputs = kManyInputs,
                                     .attributes = kWeightedSumRows,
                                     .infer = infer_elementwise,
                                     .weights = weighted_sum_weights};

const LayerKind kConcatenateLayer = {.name = "concatenate",
                                     .summary = "its inputs one after another",
                                     .family = LayerFamily::kMerge,
                                     .least_inputs = 2,
                                     .most_inputs = kManyInputs,
                                     .attributes = kConcatenateRows,
                                     .infer = infer_concatenate};

const LayerKind kMatmulLayer = {.name = "matmul",
                                .summary = "the product of two matrices, or stacks of them",
                                .family = LayerFamily::kMerge,
                                .least_inputs = 2,
                                .most_inputs = 2,
                                .attributes = kMatmulRows,
                                .infer = infer_matmul};

}  // namespace actforge
