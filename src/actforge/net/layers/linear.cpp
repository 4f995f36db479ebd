// Layers whose weights multiply the signal, or are looked up by it.
#include <algorithm>

#include "actforge/base/error.h"
#include "actforge/net/graph/window.h"
#include "actforge/net/layers/layers.h"

namespace actforge {
namespace {

constexpr double kMostUnits = 1 << 24;

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorCode::kBadInput, why); }

void add_bias(const LayerSetting& layer, std::int64_t units, std::vector<Weight>& weights) {
  if (!layer.flag("bias")) return;
  weights.push_back({.name = "bias",
                     .role = WeightRole::kBias,
                     .shape = {units},
                     .fan_in = weights[0].fan_in,
                     .fan_out = weights[0].fan_out});
}

// ---- convolution

constexpr AttributeRow kConvRows[] = {
    {"filters", AttributeType::kInteger, "", "channels of the output", 1, kMostUnits},
    {"kernel", AttributeType::kExtents, "", "size of the window: 3, or 3x5", 1, 1 << 16},
    {"stride", AttributeType::kExtents, "1", "step of the window", 1, 1 << 16},
    {"dilation", AttributeType::kExtents, "1", "distance between the points of the window", 1, 1 << 16},
    {"groups", AttributeType::kInteger, "1", "groups of channels that do not see each other", 1, kMostUnits},
    {"padding", AttributeType::kWord, "valid", "same, valid, or zeros: 1, 1x2, 0:1x0:1"},
    {"bias", AttributeType::kFlag, "true", "whether a number is added per channel"},
};

constexpr AttributeRow kDepthwiseRows[] = {
    {"kernel", AttributeType::kExtents, "", "size of the window: 3, or 3x5", 1, 1 << 16},
    {"multiplier", AttributeType::kInteger, "1", "channels of the output for each of the input", 1, 1 << 16},
    {"stride", AttributeType::kExtents, "1", "step of the window", 1, 1 << 16},
    {"dilation", AttributeType::kExtents, "1", "distance between the points of the window", 1, 1 << 16},
    {"padding", AttributeType::kWord, "valid", "same, valid, or zeros: 1, 1x2, 0:1x0:1"},
    {"bias", AttributeType::kFlag, "true", "whether a number is added per channel"},
};

Signal window_output(const LayerSetting& layer, std::int64_t filters) {
  Shape shape = window_positions(read_window(layer, "kernel"), spatial_extents(layer));
  shape.insert(shape.begin(), filters);
  return {.shape = shape};
}

Signal infer_conv(const LayerSetting& layer) {
  const std::int64_t filters = layer.integer("filters"), groups = layer.integer("groups");
  const Signal output = window_output(layer, filters);
  const std::int64_t channels = layer.inputs[0].channels();
  if (channels % groups != 0 || filters % groups != 0) {
    refuse("groups=" + std::to_string(groups) + " must divide the " + std::to_string(channels) +
           " channels of its input and the " + std::to_string(filters) + " of its output");
  }
  return output;
}

std::vector<Weight> grouped_weights(const LayerSetting& layer, std::int64_t filters, std::int64_t groups) {
  const std::vector<std::int64_t> size = per_extent(layer, "kernel", spatial_extents(layer).size());
  Weight kernel = {.name = "kernel", .shape = {filters, layer.inputs[0].channels() / groups}};
  kernel.shape.insert(kernel.shape.end(), size.begin(), size.end());
  element_count(kernel.shape);  // its limit keeps the products below from overflowing
  const std::int64_t points = element_count(size);
  kernel.fan_in = kernel.shape[1] * points;
  kernel.fan_out = filters / groups * points;
  std::vector<Weight> weights = {kernel};
  add_bias(layer, filters, weights);
  return weights;
}

std::vector<Weight> conv_weights(const LayerSetting& layer) {
  return grouped_weights(layer, layer.integer("filters"), layer.integer("groups"));
}

Signal infer_depthwise(const LayerSetting& layer) {
  return window_output(layer, layer.inputs[0].channels() * layer.integer("multiplier"));
}

std::vector<Weight> depthwise_weights(const LayerSetting& layer) {
  const std::int64_t channels = layer.inputs[0].channels();
  return grouped_weights(layer, channels * layer.integer("multiplier"), channels);
}

// ---- transposed convolution: each number of the input puts a window of numbers into the output, where they add up

constexpr AttributeRow kTransposedRows[] = {
    {"filters", AttributeType::kInteger, "", "channels of the output", 1, kMostUnits},
    {"kernel", AttributeType::kExtents, "", "size of the window: 3, or 3x5", 1, 1 << 16},
    {"stride", AttributeType::kExtents, "1", "distance between windows in the output", 1, 1 << 16},
    {"dilation", AttributeType::kExtents, "1", "distance between the points of the window", 1, 1 << 16},
    {"groups", AttributeType::kInteger, "1", "groups of channels that do not see each other", 1, kMostUnits},
    {"margin", AttributeType::kExtents, "0", "what is cut from both ends of the output", 0, 1 << 16},
    {"extra", AttributeType::kExtents, "0", "what is added at its end", 0, 1 << 16},
    {"bias", AttributeType::kFlag, "true", "whether a number is added per channel"},
};

Signal infer_transposed(const LayerSetting& layer) {
  const Shape spatial = spatial_extents(layer);
  const std::int64_t filters = layer.integer("filters"), groups = layer.integer("groups");
  if (layer.inputs[0].channels() % groups != 0 || filters % groups != 0) {
    refuse("groups=" + std::to_string(groups) + " must divide the channels of its input and its output");
  }
  const auto list = [&](std::string_view attribute) { return per_extent(layer, attribute, spatial.size()); };
  const auto kernel = list("kernel"), stride = list("stride"), dilation = list("dilation"), margin = list("margin"),
             extra = list("extra");
  Signal output = {.shape = {filters}};
  for (std::size_t i = 0; i < spatial.size(); ++i) {
    if (extra[i] >= std::max(stride[i], dilation[i])) refuse("extra must be less than stride or dilation");
    const std::int64_t extent =
        (spatial[i] - 1) * stride[i] + dilation[i] * (kernel[i] - 1) + 1 - 2 * margin[i] + extra[i];
    if (extent <= 0) refuse("nothing is left of its output");
    output.shape.push_back(extent);
  }
  return output;
}

std::vector<Weight> transposed_weights(const LayerSetting& layer) {
  const std::size_t extents = spatial_extents(layer).size();
  const std::int64_t channels = layer.inputs[0].channels(), groups = layer.integer("groups");
  const std::vector<std::int64_t> size = per_extent(layer, "kernel", extents);
  Weight kernel = {.name = "kernel", .shape = {channels, layer.integer("filters") / groups}};
  kernel.shape.insert(kernel.shape.end(), size.begin(), size.end());
  element_count(kernel.shape);  // its limit keeps the products below from overflowing
  // An output number is reached by kernel/stride windows along each extent, on average.
  const std::int64_t points = element_count(size), steps = element_count(per_extent(layer, "stride", extents));
  kernel.fan_in = std::max<std::int64_t>(1, (channels / groups * points + steps / 2) / steps);
  kernel.fan_out = kernel.shape[1] * points;
  std::vector<Weight> weights = {kernel};
  add_bias(layer, layer.integer("filters"), weights);
  return weights;
}

// ---- dense

constexpr AttributeRow kDenseRows[] = {
    {"units", AttributeType::kInteger, "", "numbers of the output", 1, kMostUnits},
    {"bias", AttributeType::kFlag, "true", "whether a number is added per unit"},
};

Signal infer_dense(const LayerSetting& layer) {
  Signal output = layer.inputs[0];
  if (output.indices) refuse("it needs values, not indices: put an embedding before it");
  if (output.channel_axis + 1 != output.shape.size()) {
    refuse("it acts on the channels, which must come last; its input is " + shape_text(output.shape) +
           ": put a flatten or a global_average_pool before it");
  }
  output.shape.back() = layer.integer("units");
  return output;
}

std::vector<Weight> dense_weights(const LayerSetting& layer) {
  const std::int64_t units = layer.integer("units"), channels = layer.inputs[0].channels();
  std::vector<Weight> weights = {{.name = "kernel", .shape = {units, channels}, .fan_in = channels, .fan_out = units}};
  add_bias(layer, units, weights);
  return weights;
}

// ---- embeddings

constexpr AttributeRow kEmbeddingRows[] = {
    {"vocabulary", AttributeType::kInteger, "", "how many different whole numbers there are", 1, kMostUnits},
    {"units", AttributeType::kInteger, "", "numbers that stand for each", 1, kMostUnits},
};

Signal infer_embedding(const LayerSetting& layer) {
  Signal output = layer.inputs[0];
  if (!output.indices) refuse("it needs indices: give its input indices=true");
  output.indices = false;
  output.shape.push_back(layer.integer("units"));
  output.channel_axis = output.shape.size() - 1;
  return output;
}

std::vector<Weight> embedding_weights(const LayerSetting& layer) {
  const std::int64_t vocabulary = layer.integer("vocabulary"), units = layer.integer("units");
  return {{.name = "table", .role = WeightRole::kEmbedding, .shape = {vocabulary, units}, .fan_out = units}};
}

Signal infer_position(const LayerSetting& layer) {
  if (layer.inputs[0].indices) refuse("it needs values, not indices");
  return layer.inputs[0];
}

std::vector<Weight> position_weights(const LayerSetting& layer) {
  const Signal& input = layer.inputs[0];
  return {{.name = "table", .role = WeightRole::kEmbedding, .shape = input.shape, .fan_out = input.channels()}};
}

// ---- relative positions: each head adds to the score of query i and key j, places on a grid, what it has learned for
// the way from j to i. The ways of a grid of H x W go from (1-H, 1-W) to (H-1, W-1), row by row.

constexpr AttributeRow kRelativeRows[] = {
    {"grid", AttributeType::kExtents, "", "extents of the image whose places attend to each other: 7x7", 1, 1 << 12},
};

Signal infer_relative(const LayerSetting& layer) {
  const Signal& input = layer.inputs[0];
  const Shape& grid = layer.extents("grid");
  const std::int64_t places = element_count(grid);
  if (grid.size() != 2) refuse("grid takes two extents, not " + shape_text(grid));
  if (input.indices || input.shape.size() != 3 || input.shape[1] != places || input.shape[2] != places) {
    refuse("it needs the scores [heads, " + std::to_string(places) + ", " + std::to_string(places) + "] of a grid of " +
           shape_text(grid) + "; its input is " + shape_text(input.shape));
  }
  return input;
}

std::vector<Weight> relative_weights(const LayerSetting& layer) {
  const Shape& grid = layer.extents("grid");
  const std::int64_t heads = layer.inputs[0].shape[0];
  return {{.name = "table",
           .role = WeightRole::kEmbedding,
           .shape = {heads, (2 * grid[0] - 1) * (2 * grid[1] - 1)},
           .fan_out = 1}};
}

}  // namespace

const LayerKind kConvLayer = {.name = "conv",
                              .summary = "convolution over one to three spatial extents",
                              .family = LayerFamily::kLinear,
                              .least_inputs = 1,
                              .most_inputs = 1,
                              .attributes = kConvRows,
                              .infer = infer_conv,
                              .weights = conv_weights,
                              .kernel = KernelUse::kLinear};

const LayerKind kDepthwiseConvLayer = {.name = "depthwise_conv",
                                       .summary = "convolution of each channel by itself",
                                       .family = LayerFamily::kLinear,
                                       .least_inputs = 1,
                                       .most_inputs = 1,
                                       .attributes = kDepthwiseRows,
                                       .infer = infer_depthwise,
                                       .weights = depthwise_weights,
                                       .kernel = KernelUse::kLinear};

const LayerKind kTransposedConvLayer = {.name = "transposed_conv",
                                        .summary = "convolution backwards: makes images larger",
                                        .family = LayerFamily::kLinear,
                                        .least_inputs = 1,
                                        .most_inputs = 1,
                                        .attributes = kTransposedRows,
                                        .infer = infer_transposed,
                                        .weights = transposed_weights,
                                        .kernel = KernelUse::kLinear};

const LayerKind kDenseLayer = {.name = "dense",
                               .summary = "weighted sums of the channels",
                               .family = LayerFamily::kLinear,
                               .least_inputs = 1,
                               .most_inputs = 1,
                               .attributes = kDenseRows,
                               .infer = infer_dense,
                               .weights = dense_weights,
                               .kernel = KernelUse::kLinear};

const LayerKind kEmbeddingLayer = {.name = "embedding",
                                   .summary = "learned numbers for each index",
                                   .family = LayerFamily::kLinear,
                                   .least_inputs = 1,
                                   .most_inputs = 1,
                                   .attributes = kEmbeddingRows,
                                   .infer = infer_embedding,
                                   .weights = embedding_weights};

const LayerKind kPositionLayer = {.name = "position_embedding",
                                  .summary = "adds learned numbers, one for each place of the sample",
                                  .family = LayerFamily::kLinear,
                                  .least_inputs = 1,
                                  .most_inputs = 1,
                                  .attributes = {},
                                  .infer = infer_position,
                                  .weights = position_weights};

const LayerKind kRelativePositionLayer = {
    .name = "relative_position",
    .summary = "adds to attention's scores what each head learns for the way between two places",
    .family = LayerFamily::kLinear,
    .least_inputs = 1,
    .most_inputs = 1,
    .attributes = kRelativeRows,
    .infer = infer_relative,
    .weights = relative_weights};

}  // namespace actforge
