// Normalisations.
#include "actforge/base/error.h"
#include "actforge/net/layers/layers.h"

namespace actforge {
namespace {

constexpr AttributeRow kBatchRows[] = {
    {"epsilon", AttributeType::kNumber, "1e-5", "added to the variance", 0, 1},
    {"momentum", AttributeType::kNumber, "0.1", "share of each batch in the running statistics", 0, 1},
};
constexpr AttributeRow kLayerRows[] = {
    {"epsilon", AttributeType::kNumber, "1e-5", "added to the variance", 0, 1},
};
constexpr AttributeRow kGroupRows[] = {
    {"groups", AttributeType::kInteger, "", "groups of channels, each normalised by itself", 1, 1 << 24},
    {"epsilon", AttributeType::kNumber, "1e-5", "added to the variance", 0, 1},
};

Signal infer_norm(const LayerSetting& layer) {
  if (layer.inputs[0].indices) throw Error(ErrorCode::kBadInput, "it needs values, not indices");
  return layer.inputs[0];
}

Signal infer_group_norm(const LayerSetting& layer) {
  const Signal& input = layer.inputs[0];
  if (input.channel_axis != 0) throw Error(ErrorCode::kBadInput, "it needs the channels first");
  if (input.channels() % layer.integer("groups") != 0) {
    throw Error(ErrorCode::kBadInput, "groups=" + std::to_string(layer.integer("groups")) + " must divide the " +
                                          std::to_string(input.channels()) + " channels");
  }
  return infer_norm(layer);
}

std::vector<Weight> norm_weights(const LayerSetting& layer) {
  const Shape channels = {layer.inputs[0].channels()};
  return {{.name = "gain", .role = WeightRole::kGain, .shape = channels, .initial = 1},
          {.name = "offset", .role = WeightRole::kOffset, .shape = channels}};
}

std::vector<Weight> batch_norm_weights(const LayerSetting& layer) {
  std::vector<Weight> weights = norm_weights(layer);
  const Shape channels = weights[0].shape;
  weights.push_back({.name = "running_mean", .role = WeightRole::kRunningMean, .shape = channels});
  weights.push_back(
      {.name = "running_variance", .role = WeightRole::kRunningVariance, .shape = channels, .initial = 1});
  return weights;
}

}  // namespace

const LayerKind kBatchNormLayer = {.name = "batch_norm",
                                   .summary = "each channel to mean 0 and variance 1 over the batch",
                                   .family = LayerFamily::kNorm,
                                   .least_inputs = 1,
                                   .most_inputs = 1,
                                   .attributes = kBatchRows,
                                   .infer = infer_norm,
                                   .weights = batch_norm_weights};

const LayerKind kLayerNormLayer = {.name = "layer_norm",
                                   .summary = "the channels at each place to mean 0 and variance 1",
                                   .family = LayerFamily::kNorm,
                                   .least_inputs = 1,
                                   .most_inputs = 1,
                                   .attributes = kLayerRows,
                                   .infer = infer_norm,
                                   .weights = norm_weights};

const LayerKind kGroupNormLayer = {.name = "group_norm",
                                   .summary = "groups of channels to mean 0 and variance 1, sample by sample",
                                   .family = LayerFamily::kNorm,
                                   .least_inputs = 1,
                                   .most_inputs = 1,
                                   .attributes = kGroupRows,
                                   .infer = infer_group_norm,
                                   .weights = norm_weights};

}  // namespace actforge
