// Where signals come in, and what acts on each number alone.
#include "actforge/base/error.h"
#include "actforge/expr/language/graph.h"
#include "actforge/net/layers/layers.h"

namespace actforge {
namespace {

constexpr AttributeRow kInputRows[] = {
    {"shape", AttributeType::kExtents, "", "extents of a sample, channels first: 3x32x32", 1, 1 << 24},
    {"indices", AttributeType::kFlag, "false", "whole numbers for an embedding, not values"},
    {"channels_last", AttributeType::kFlag, "false", "the last extent counts the channels, as in a sequence"},
};

Signal infer_input(const LayerSetting& layer) {
  Signal signal = {.shape = layer.extents("shape"), .indices = layer.flag("indices")};
  if (layer.flag("channels_last")) signal.channel_axis = signal.shape.size() - 1;
  return signal;
}

constexpr AttributeRow kActivationRows[] = {
    {"function", AttributeType::kFunction, "relu(x)", "the activation function"},
    {"fixed", AttributeType::kFlag, "false", "part of the architecture, as a gate's sigmoid: others do not replace it"},
};

Signal infer_activation(const LayerSetting& layer) {
  if (layer.inputs[0].indices) throw Error(ErrorCode::kBadInput, "it needs values, not indices");
  return layer.inputs[0];
}

// One number for the layer, one per channel, or one per neuron.
Shape parameter_shape(Scope scope, const Signal& signal) {
  if (scope == Scope::kLayer) return {};
  return scope == Scope::kChannel ? Shape{signal.channels()} : signal.shape;
}

std::vector<Weight> activation_weights(const LayerSetting& layer) {
  std::vector<Weight> weights;
  for (const Parameter& parameter : all_parameters(layer.function("function"))) {
    weights.push_back({.name = parameter_name(parameter.index),
                       .role = WeightRole::kParameter,
                       .shape = parameter_shape(parameter.scope, layer.inputs[0]),
                       .initial = parameter.initial});
  }
  return weights;
}

constexpr AttributeRow kDropoutRows[] = {
    {"rate", AttributeType::kNumber, "0.5", "the share that is set to zero while training", 0, 0.99},
};

Signal infer_spatial_dropout(const LayerSetting& layer) {
  const Signal& input = layer.inputs[0];
  if (input.shape.size() < 2) {
    throw Error(ErrorCode::kBadInput, "it drops whole channels; its input " + shape_text(input.shape) + " has none");
  }
  return infer_activation(layer);
}

}  // namespace

const LayerKind kInputLayer = {.name = "input",
                               .summary = "where samples come in",
                               .family = LayerFamily::kInput,
                               .least_inputs = 0,
                               .most_inputs = 0,
                               .attributes = kInputRows,
                               .infer = infer_input};

const LayerKind kActivationLayer = {.name = "activation",
                                    .summary = "an activation function",
                                    .family = LayerFamily::kActivation,
                                    .least_inputs = 1,
                                    .most_inputs = 1,
                                    .attributes = kActivationRows,
                                    .infer = infer_activation,
                                    .weights = activation_weights};

const LayerKind kDropoutLayer = {.name = "dropout",
                                 .summary = "sets random numbers to zero while training, and scales the others up",
                                 .family = LayerFamily::kDropout,
                                 .least_inputs = 1,
                                 .most_inputs = 1,
                                 .attributes = kDropoutRows,
                                 .infer = infer_activation};

const LayerKind kSpatialDropoutLayer = {.name = "spatial_dropout",
                                        .summary = "the same, whole channels at a time",
                                        .family = LayerFamily::kDropout,
                                        .least_inputs = 1,
                                        .most_inputs = 1,
                                        .attributes = kDropoutRows,
                                        .infer = infer_spatial_dropout};

}  // namespace actforge
