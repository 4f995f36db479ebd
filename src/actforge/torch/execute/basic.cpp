#include "actforge/base/error.h"
#include "actforge/net/layers/layers.h"
#include "actforge/torch/execute/layer_call.h"

namespace actforge {
namespace {

using torch::Tensor;

// Where the channels are in [N, sample...].
std::int64_t channel_dimension(const LayerSetting& layer) {
  return static_cast<std::int64_t>(layer.inputs[0].channel_axis) + 1;
}

Tensor drop(const Tensor& x, torch::IntArrayRef mask_shape, double rate, const torch::Generator& generator) {
  const Tensor mask = (mask_shape.equals(x.sizes()) ? torch::empty_like(x) : torch::empty(mask_shape, x.options()))
                          .bernoulli_(1 - rate, generator)
                          .div_(1 - rate);
  return x * mask;
}

LayerFunction make_activation(const LayerSetting& layer, ActivationBackend backend) {
  return [activation = Activation(layer.function("function"), backend),
          axis = static_cast<std::int64_t>(layer.inputs[0].channel_axis)](const LayerCall& run) {
    return activation.apply(run.inputs[0], run.weights, axis);
  };
}

LayerFunction make_dropout(const LayerSetting& layer, ActivationBackend /*backend*/) {
  return [rate = layer.number("rate")](const LayerCall& run) {
    const Tensor& x = run.inputs[0];
    return run.training && rate > 0 ? drop(x, x.sizes(), rate, run.generator) : x;
  };
}

LayerFunction make_spatial_dropout(const LayerSetting& layer, ActivationBackend /*backend*/) {
  return [rate = layer.number("rate"), channels = channel_dimension(layer)](const LayerCall& run) {
    const Tensor& x = run.inputs[0];
    if (!run.training || rate == 0) return x;
    std::vector<std::int64_t> shape(static_cast<std::size_t>(x.dim()), 1);
    shape[0] = x.size(0);
    shape[static_cast<std::size_t>(channels)] = x.size(channels);
    return drop(x, shape, rate, run.generator);
  };
}

LayerFunction make_batch_norm(const LayerSetting& layer, ActivationBackend /*backend*/) {
  return [epsilon = layer.number("epsilon"), momentum = layer.number("momentum"),
          channels = channel_dimension(layer)](const LayerCall& run) {
    const auto& w = run.weights;
    const Tensor x = channels == 1 ? run.inputs[0] : run.inputs[0].movedim(channels, 1);
    // A single value per channel has no variance: such a batch is normalised by the running statistics.
    const bool by_batch = run.training && x.numel() > x.size(1);
    const Tensor y = torch::batch_norm(x, w[0], w[1], w[2], w[3], by_batch, momentum, epsilon, /*cudnn=*/true);
    return channels == 1 ? y : y.movedim(1, channels);
  };
}

LayerFunction make_layer_norm(const LayerSetting& layer, ActivationBackend /*backend*/) {
  return [epsilon = layer.number("epsilon"), channels = channel_dimension(layer)](const LayerCall& run) {
    const Tensor x = run.inputs[0].movedim(channels, -1);
    return torch::layer_norm(x, {x.size(-1)}, run.weights[0], run.weights[1], epsilon).movedim(-1, channels);
  };
}

LayerFunction make_group_norm(const LayerSetting& layer, ActivationBackend /*backend*/) {
  return [epsilon = layer.number("epsilon"), groups = layer.integer("groups")](const LayerCall& run) {
    return torch::group_norm(run.inputs[0], groups, run.weights[0], run.weights[1], epsilon);
  };
}

// The executor has its values from the caller.
LayerFunction make_input(const LayerSetting& /*layer*/, ActivationBackend /*backend*/) { return {}; }

LayerFunction make_opaque(const LayerSetting& layer, ActivationBackend /*backend*/) {
  throw Error(ErrorCode::kFailed, "layers of kind '" + std::string(layer.kind->name) + "' cannot be executed");
}

constexpr LayerExecution kRows[] = {
    {kInputLayer, make_input, no_patches},          {kActivationLayer, make_activation, no_patches},
    {kDropoutLayer, make_dropout, no_patches},      {kSpatialDropoutLayer, make_spatial_dropout, no_patches},
    {kBatchNormLayer, make_batch_norm, no_patches}, {kLayerNormLayer, make_layer_norm, no_patches},
    {kGroupNormLayer, make_group_norm, no_patches}, {kOpaqueLayer, make_opaque, no_patches},
};

}  // namespace

std::span<const LayerExecution> basic_executions() { return kRows; }

}  // namespace actforge
