// Layers that move numbers without changing them.
#include <algorithm>

#include "actforge/base/error.h"
#include "actforge/net/graph/axes.h"
#include "actforge/net/graph/window.h"
#include "actforge/net/layers/layers.h"

namespace actforge {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorCode::kBadInput, why); }

constexpr AttributeRow kZeroPaddingRows[] = {
    {"padding", AttributeType::kWord, "1", "zeros around the spatial extents: 1, 1x2, 0:1x0:1"},
};

Signal infer_zero_padding(const LayerSetting& layer) {
  Signal output = layer.inputs[0];
  const Margins margins = read_margins(layer, "padding");
  for (std::size_t i = 0; i < margins.before.size(); ++i) output.shape[i + 1] += margins.before[i] + margins.after[i];
  return output;
}

constexpr AttributeRow kCroppingRows[] = {
    {"margin", AttributeType::kWord, "1", "what is cut from the spatial extents: 1, 1x2, 0:1x0:1"},
};

Signal infer_cropping(const LayerSetting& layer) {
  Signal output = layer.inputs[0];
  const Margins margins = read_margins(layer, "margin");
  for (std::size_t i = 0; i < margins.before.size(); ++i) {
    output.shape[i + 1] -= margins.before[i] + margins.after[i];
    if (output.shape[i + 1] <= 0) refuse("nothing is left of " + shape_text(layer.inputs[0].shape));
  }
  return output;
}

constexpr AttributeRow kUpSamplingRows[] = {
    {"factor", AttributeType::kInteger, "2", "how many times each spatial extent grows", 1, 64},
    {"mode", AttributeType::kWord, "nearest", "nearest, or linear between neighbours"},
};

Signal infer_up_sampling(const LayerSetting& layer) {
  spatial_extents(layer);  // for its checks
  const std::string& mode = layer.word("mode");
  if (mode != "nearest" && mode != "linear") refuse("mode is nearest or linear, not '" + mode + "'");
  Signal output = layer.inputs[0];
  for (std::size_t i = 1; i < output.shape.size(); ++i) output.shape[i] *= layer.integer("factor");
  return output;
}

constexpr AttributeRow kResizeRows[] = {
    {"size", AttributeType::kExtents, "", "the new spatial extents: 8, or 8x6", 1, 1 << 16},
};

Signal infer_resize(const LayerSetting& layer) {
  const Shape spatial = spatial_extents(layer);
  Signal output = layer.inputs[0];
  const std::vector<std::int64_t> size = per_extent(layer, "size", spatial.size());
  std::copy(size.begin(), size.end(), output.shape.begin() + 1);
  return output;
}

Signal infer_flatten(const LayerSetting& layer) {
  return {.shape = {element_count(layer.inputs[0].shape)}, .indices = layer.inputs[0].indices};
}

constexpr AttributeRow kReshapeRows[] = {
    {"shape", AttributeType::kExtents, "", "the new extents; one may be -1: whatever is left", -1, 1 << 24},
    {"channels", AttributeType::kWord, "-1", "which of the new extents counts the channels"},
};

Signal infer_reshape(const LayerSetting& layer) {
  const Signal& input = layer.inputs[0];
  const std::int64_t elements = element_count(input.shape);
  Signal output = {.shape = layer.extents("shape"), .indices = input.indices};
  Shape known = output.shape;
  if (std::count(known.begin(), known.end(), -1) > 1) refuse("only one of the new extents may be -1");
  const auto free = std::find(known.begin(), known.end(), -1);
  if (free != known.end()) {
    *free = 1;
    const std::int64_t rest = element_count(known);
    if (elements % rest == 0) output.shape[static_cast<std::size_t>(free - known.begin())] = elements / rest;
  }
  if (std::count(output.shape.begin(), output.shape.end(), -1) > 0 || element_count(output.shape) != elements) {
    refuse(shape_text(input.shape) + " cannot become " + shape_text(layer.extents("shape")));
  }
  output.channel_axis = axis_number(layer.word("channels"), output);
  return output;
}

constexpr AttributeRow kPermuteRows[] = {
    {"order", AttributeType::kExtents, "", "the extents of the input in their new order: 1x0", 0, kMaxRank},
};

// Whether every extent appears in it once.
bool is_order(const Shape& order, std::size_t extents) {
  Shape sorted = order;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (sorted[i] != static_cast<std::int64_t>(i)) return false;
  }
  return sorted.size() == extents;
}

Signal infer_permute(const LayerSetting& layer) {
  const Signal& input = layer.inputs[0];
  const Shape& order = layer.extents("order");
  if (!is_order(order, input.shape.size())) {
    refuse("order=" + shape_text(order) + " is not an order of the " + std::to_string(input.shape.size()) +
           " extents of " + shape_text(input.shape));
  }
  Signal output = {.indices = input.indices};
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto from = static_cast<std::size_t>(order[i]);
    output.shape.push_back(input.shape[from]);
    if (from == input.channel_axis) output.channel_axis = i;
  }
  return output;
}

constexpr AttributeRow kSliceRows[] = {
    {"axis", AttributeType::kWord, "channels", "the extent that is cut: channels, or its number from 0"},
    {"begin", AttributeType::kInteger, "0", "the first number that is kept", 0, 1e15},
    {"length", AttributeType::kInteger, "", "how many are kept", 1, 1e15},
};

Signal infer_slice(const LayerSetting& layer) {
  Signal output = layer.inputs[0];
  std::int64_t& extent = output.shape.at(axis_number(layer.word("axis"), output));
  const std::int64_t begin = layer.integer("begin"), length = layer.integer("length");
  if (begin + length > extent) {
    refuse("there are no " + std::to_string(length) + " numbers from " + std::to_string(begin) + " in " +
           std::to_string(extent));
  }
  extent = length;
  return output;
}

}  // namespace

Margins read_margins(const LayerSetting& layer, std::string_view attribute) {
  const Shape spatial = spatial_extents(layer);
  const std::string& text = layer.word(attribute);
  if (text == "same" || text == "valid") refuse(std::string(attribute) + " takes numbers, not '" + text + "'");
  Window window;
  window.size.assign(spatial.size(), 1);
  set_padding(window, text, spatial);
  return {.before = window.before, .after = window.after};
}

const LayerKind kZeroPaddingLayer = {.name = "zero_padding",
                                     .summary = "puts zeros around images",
                                     .family = LayerFamily::kShape,
                                     .least_inputs = 1,
                                     .most_inputs = 1,
                                     .attributes = kZeroPaddingRows,
                                     .infer = infer_zero_padding};

const LayerKind kCroppingLayer = {.name = "cropping",
                                  .summary = "cuts the margins of images off",
                                  .family = LayerFamily::kShape,
                                  .least_inputs = 1,
                                  .most_inputs = 1,
                                  .attributes = kCroppingRows,
                                  .infer = infer_cropping};

const LayerKind kUpSamplingLayer = {.name = "up_sampling",
                                    .summary = "makes images larger",
                                    .family = LayerFamily::kShape,
                                    .least_inputs = 1,
                                    .most_inputs = 1,
                                    .attributes = kUpSamplingRows,
                                    .infer = infer_up_sampling};

const LayerKind kResizeLayer = {.name = "resize",
                                .summary = "images of another size, linear between neighbours; corners stay corners",
                                .family = LayerFamily::kShape,
                                .least_inputs = 1,
                                .most_inputs = 1,
                                .attributes = kResizeRows,
                                .infer = infer_resize};

const LayerKind kFlattenLayer = {.name = "flatten",
                                 .summary = "all numbers in one row",
                                 .family = LayerFamily::kShape,
                                 .least_inputs = 1,
                                 .most_inputs = 1,
                                 .attributes = {},
                                 .infer = infer_flatten};

const LayerKind kReshapeLayer = {.name = "reshape",
                                 .summary = "the same numbers in other extents",
                                 .family = LayerFamily::kShape,
                                 .least_inputs = 1,
                                 .most_inputs = 1,
                                 .attributes = kReshapeRows,
                                 .infer = infer_reshape};

const LayerKind kPermuteLayer = {.name = "permute",
                                 .summary = "the extents in another order",
                                 .family = LayerFamily::kShape,
                                 .least_inputs = 1,
                                 .most_inputs = 1,
                                 .attributes = kPermuteRows,
                                 .infer = infer_permute};

const LayerKind kSliceLayer = {.name = "slice",
                               .summary = "a part of one extent",
                               .family = LayerFamily::kShape,
                               .least_inputs = 1,
                               .most_inputs = 1,
                               .attributes = kSliceRows,
                               .infer = infer_slice};

}  // namespace actforge
