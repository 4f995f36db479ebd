#include "actforge/net/graph/axes.h"
#include "actforge/net/layers/layers.h"
#include "actforge/torch/execute/layer_call.h"

namespace actforge {
namespace {

using torch::Tensor;

template <class Combine>
Tensor fold(const LayerCall& run, Combine combine) {
  Tensor result = run.inputs[0];
  for (std::size_t i = 1; i < run.inputs.size(); ++i) result = combine(result, run.inputs[i]);
  return result;
}

Tensor sum(const LayerCall& run) {
  return fold(run, [](const Tensor& a, const Tensor& b) { return a + b; });
}

LayerFunction make_add(const LayerSetting& /*layer*/, ActivationBackend /*backend*/) { return sum; }

LayerFunction make_subtract(const LayerSetting& /*layer*/, ActivationBackend /*backend*/) {
  return [](const LayerCall& run) { return run.inputs[0] - run.inputs[1]; };
}

LayerFunction make_multiply(const LayerSetting& /*layer*/, ActivationBackend /*backend*/) {
  return [](const LayerCall& run) { return fold(run, [](const Tensor& a, const Tensor& b) { return a * b; }); };
}

LayerFunction make_average(const LayerSetting& /*layer*/, ActivationBackend /*backend*/) {
  return [](const LayerCall& run) { return sum(run) / static_cast<double>(run.inputs.size()); };
}

LayerFunction make_maximum(const LayerSetting& /*layer*/, ActivationBackend /*backend*/) {
  return [](const LayerCall& run) {
    return fold(run, [](const Tensor& a, const Tensor& b) { return torch::maximum(a, b); });
  };
}

LayerFunction make_minimum(const LayerSetting& /*layer*/, ActivationBackend /*backend*/) {
  return [](const LayerCall& run) {
    return fold(run, [](const Tensor& a, const Tensor& b) { return torch::minimum(a, b); });
  };
}

LayerFunction make_weighted_sum(const LayerSetting& /*layer*/, ActivationBackend /*backend*/) {
  return [](const LayerCall& run) {
    Tensor result = run.inputs[0] * run.weights[0][0];
    for (std::size_t i = 1; i < run.inputs.size(); ++i) {
      result = result + run.inputs[i] * run.weights[0][static_cast<std::int64_t>(i)];
    }
    return result;
  };
}

LayerFunction make_concatenate(const LayerSetting& layer, ActivationBackend /*backend*/) {
  return [axis = static_cast<std::int64_t>(concatenate_axis(layer)) + 1](const LayerCall& run) {
    return torch::cat(torch::TensorList(run.inputs.data(), run.inputs.size()), axis);
  };
}

LayerFunction make_matmul(const LayerSetting& layer, ActivationBackend /*backend*/) {
  return [transpose_a = layer.flag("transpose_a"), transpose_b = layer.flag("transpose_b"),
          scale = layer.number("scale")](const LayerCall& run) {
    // The factor goes to the first matrix: the product may be larger.
    const Tensor a = scale == 1 ? run.inputs[0] : run.inputs[0] * scale;
    return torch::matmul(transpose_a ? a.transpose(-1, -2) : a,
                         transpose_b ? run.inputs[1].transpose(-1, -2) : run.inputs[1]);
  };
}

constexpr LayerExecution kRows[] = {
    {kAddLayer, make_add, no_patches},
    {kSubtractLayer, make_subtract, no_patches},
    {kMultiplyLayer, make_multiply, no_patches},
    {kAverageLayer, make_average, no_patches},
    {kMaximumLayer, make_maximum, no_patches},
    {kMinimumLayer, make_minimum, no_patches},
    {kWeightedSumLayer, make_weighted_sum, no_patches},
    {kConcatenateLayer, make_concatenate, no_patches},
    {kMatmulLayer, make_matmul, no_patches},
};

}  // namespace

std::span<const LayerExecution> merge_executions() { return kRows; }

}  // namespace actforge
