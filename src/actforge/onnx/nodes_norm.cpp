// Normalisations and dropout.
#include <algorithm>
#include <cmath>

#include "actforge/onnx/nodes.h"

namespace actforge {
namespace {

// A weight with one number per channel; anything else is not in the file as the layer has it.
WeightSource per_channel(const OnnxStep& step, std::size_t input, std::int64_t channels) {
  if (!step.has(input)) return {};
  if (!step.is_constant(input)) step.refuse("its weights are not constants");
  if (step.constant(input).size() != channels) {
    step.refuse("its input " + std::to_string(input) + " has not one number per channel");
  }
  return step.source(input);
}

void normalise_groups(OnnxStep& step, std::int64_t groups) {
  step.require_batch_first(0);
  const std::int64_t channels = step.dims(0)[1].size;
  std::vector<WeightSource> sources = {per_channel(step, 1, channels), per_channel(step, 2, channels)};
  const LayerId made =
      step.importer.add_weighted(step.node, "group_norm", step.layer(0, 0),
                                 {{"groups", groups}, {"epsilon", step.node.number("epsilon", 1e-5)}}, sources);
  step.make(0, made, step.dims(0));
}

void import_batch_norm(OnnxStep& step) {
  step.require_batch_first(0);
  const std::int64_t channels = step.dims(0)[1].size;
  std::vector<WeightSource> sources;
  for (const std::size_t input : {1U, 2U, 3U, 4U}) sources.push_back(per_channel(step, input, channels));
  // ONNX counts the share that stays, the network the share of the batch.
  const double share = std::round((1 - step.node.number("momentum", 0.9)) * 1e9) / 1e9;
  const double momentum = std::clamp(share, 0.0, 1.0);
  const LayerId made =
      step.importer.add_weighted(step.node, "batch_norm", step.layer(0, 0),
                                 {{"epsilon", step.node.number("epsilon", 1e-5)}, {"momentum", momentum}}, sources);
  step.make(0, made, step.dims(0));
}

void import_layer_norm(OnnxStep& step) {
  const Dims& dims = step.dims(0);
  if (checked_axis(step.node.integer("axis", -1), dims.size()) + 1 != dims.size() || dims.back().batch) {
    step.refuse("it normalises more than the last extent");
  }
  if (step.has_output(1) || step.has_output(2)) step.refuse("something uses its means or deviations");
  const std::int64_t channels = dims.back().size;
  const LayerId made = step.importer.add_weighted(step.node, "layer_norm", step.layer(0, sample_shape(dims).size() - 1),
                                                  {{"epsilon", step.node.number("epsilon", 1e-5)}},
                                                  {per_channel(step, 1, channels), per_channel(step, 2, channels)});
  step.make(0, made, dims);
}

void import_instance_norm(OnnxStep& step) {
  step.require_batch_first(0);
  normalise_groups(step, step.dims(0)[1].size);
}

void import_group_norm(OnnxStep& step) { normalise_groups(step, step.node.integer("num_groups", 1)); }

// The rate is an attribute before operator set 12, and an input since.
void import_dropout(OnnxStep& step) {
  if (step.has_output(1)) step.refuse("something uses which numbers it leaves");
  double rate = step.node.number("ratio", 0.5);
  if (step.has(1)) {
    const std::vector<double> given = step.numbers(1);
    if (given.size() == 1) rate = given[0];
  }
  const OnnxValue& input = step.signal(0);
  if (rate == 0) return step.make(0, input.layer, input.dims);
  step.make(0, step.add("dropout", input.layer, {{"rate", std::clamp(rate, 0.0, 0.99)}}), input.dims);
}

constexpr OnnxNodeRow kRows[] = {
    {"BatchNormalization", import_batch_norm},
    {"LayerNormalization", import_layer_norm},
    {"InstanceNormalization", import_instance_norm},
    {"GroupNormalization", import_group_norm},
    {"Dropout", import_dropout},
};

}  // namespace

std::span<const OnnxNodeRow> onnx_norm_nodes() { return kRows; }

}  // namespace actforge
