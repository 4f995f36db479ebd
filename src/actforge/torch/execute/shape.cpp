#include "actforge/net/graph/axes.h"
#include "actforge/net/layers/layers.h"
#include "actforge/torch/execute/layer_call.h"

namespace actforge {
namespace {

using torch::Tensor;

// The extents of a batch of samples of this shape.
std::vector<std::int64_t> with_batch(const Tensor& x, const Shape& shape) {
  std::vector<std::int64_t> extents = {x.size(0)};
  extents.insert(extents.end(), shape.begin(), shape.end());
  return extents;
}

Tensor enlarge(const Tensor& x, const std::vector<std::int64_t>& extents, bool linear) {
  switch (extents.size()) {
    case 1: return linear ? torch::upsample_linear1d(x, extents, false) : torch::upsample_nearest1d(x, extents);
    case 2: return linear ? torch::upsample_bilinear2d(x, extents, false) : torch::upsample_nearest2d(x, extents);
    default: return linear ? torch::upsample_trilinear3d(x, extents, false) : torch::upsample_nearest3d(x, extents);
  }
}

std::vector<std::int64_t> reduced_dimensions(const LayerSetting& layer) {
  std::vector<std::int64_t> dimensions;
  for (const std::size_t axis : reduced_axes(layer)) dimensions.push_back(static_cast<std::int64_t>(axis) + 1);
  return dimensions;
}

LayerFunction make_zero_padding(const LayerSetting& layer, ActivationBackend /*backend*/) {
  return [margins = read_margins(layer, "padding")](const LayerCall& run) {
    return pad_spatial(run.inputs[0], margins.before, margins.after);
  };
}

LayerFunction make_cropping(const LayerSetting& layer, ActivationBackend /*backend*/) {
  return [margins = read_margins(layer, "margin")](const LayerCall& run) {
    Tensor x = run.inputs[0];
    for (std::size_t i = 0; i < margins.before.size(); ++i) {
      const auto dimension = static_cast<std::int64_t>(i) + 2;
      x = x.slice(dimension, margins.before[i], x.size(dimension) - margins.after[i]);
    }
    return x;
  };
}

LayerFunction make_up_sampling(const LayerSetting& layer, ActivationBackend /*backend*/) {
  const Shape output = layer.kind->infer(layer).shape;
  return [extents = std::vector<std::int64_t>(output.begin() + 1, output.end()),
          linear = layer.word("mode") == "linear"](const LayerCall& run) {
    return enlarge(run.inputs[0], extents, linear);
  };
}

LayerFunction make_resize(const LayerSetting& layer, ActivationBackend /*backend*/) {
  const Shape output = layer.kind->infer(layer).shape;
  return [extents = std::vector<std::int64_t>(output.begin() + 1, output.end())](const LayerCall& run) {
    const Tensor& x = run.inputs[0];
    switch (extents.size()) {
      case 1: return torch::upsample_linear1d(x, extents, /*align_corners=*/true);
      case 2: return torch::upsample_bilinear2d(x, extents, /*align_corners=*/true);
      default: return torch::upsample_trilinear3d(x, extents, /*align_corners=*/true);
    }
  };
}

LayerFunction make_flatten(const LayerSetting& /*layer*/, ActivationBackend /*backend*/) {
  return [](const LayerCall& run) { return run.inputs[0].flatten(1); };
}

LayerFunction make_reshape(const LayerSetting& layer, ActivationBackend /*backend*/) {
  return [shape = layer.kind->infer(layer).shape](const LayerCall& run) {
    return run.inputs[0].reshape(with_batch(run.inputs[0], shape));
  };
}

LayerFunction make_permute(const LayerSetting& layer, ActivationBackend /*backend*/) {
  std::vector<std::int64_t> order = {0};
  for (const std::int64_t axis : layer.extents("order")) order.push_back(axis + 1);
  return [order](const LayerCall& run) { return run.inputs[0].permute(order); };
}

LayerFunction make_slice(const LayerSetting& layer, ActivationBackend /*backend*/) {
  return [axis = static_cast<std::int64_t>(axis_number(layer.word("axis"), layer.inputs[0])) + 1,
          begin = layer.integer("begin"),
          length = layer.integer("length")](const LayerCall& run) { return run.inputs[0].narrow(axis, begin, length); };
}

// A batch of one, which every operator repeats.
LayerFunction make_constant(const LayerSetting& /*layer*/, ActivationBackend /*backend*/) {
  return [](const LayerCall& run) { return run.weights[0].unsqueeze(0); };
}

LayerFunction make_softmax(const LayerSetting& layer, ActivationBackend /*backend*/) {
  return [axis = static_cast<std::int64_t>(softmax_axis(layer)) + 1](const LayerCall& run) {
    return torch::softmax(run.inputs[0], axis);
  };
}

LayerFunction make_reduce_mean(const LayerSetting& layer, ActivationBackend /*backend*/) {
  return [dimensions = reduced_dimensions(layer), shape = layer.kind->infer(layer).shape](const LayerCall& run) {
    return torch::mean(run.inputs[0], dimensions).reshape(with_batch(run.inputs[0], shape));
  };
}

LayerFunction make_reduce_sum(const LayerSetting& layer, ActivationBackend /*backend*/) {
  return [dimensions = reduced_dimensions(layer), shape = layer.kind->infer(layer).shape](const LayerCall& run) {
    return torch::sum(run.inputs[0], dimensions).reshape(with_batch(run.inputs[0], shape));
  };
}

constexpr LayerExecution kRows[] = {
    {kZeroPaddingLayer, make_zero_padding, no_patches}, {kCroppingLayer, make_cropping, no_patches},
    {kUpSamplingLayer, make_up_sampling, no_patches},   {kResizeLayer, make_resize, no_patches},
    {kFlattenLayer, make_flatten, no_patches},          {kReshapeLayer, make_reshape, no_patches},
    {kPermuteLayer, make_permute, no_patches},          {kSliceLayer, make_slice, no_patches},
    {kConstantLayer, make_constant, no_patches},        {kSoftmaxLayer, make_softmax, no_patches},
    {kReduceMeanLayer, make_reduce_mean, no_patches},   {kReduceSumLayer, make_reduce_sum, no_patches},
};

}  // namespace

std::span<const LayerExecution> shape_executions() { return kRows; }

}  // namespace actforge
