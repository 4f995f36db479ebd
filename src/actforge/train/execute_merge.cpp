#include "actforge/net/axes.h"
#include "actforge/train/layer_run.h"

namespace actforge {
namespace {

using torch::Tensor;

template <class Combine>
Tensor fold(const LayerRun& run, Combine combine) {
  Tensor result = run.inputs[0];
  for (std::size_t i = 1; i < run.inputs.size(); ++i) result = combine(result, run.inputs[i]);
  return result;
}

Tensor sum(const LayerRun& run) {
  return fold(run, [](const Tensor& a, const Tensor& b) { return a + b; });
}

}  // namespace

LayerFunction make_add(const LayerSetting& /*layer*/, ActivationBackend /*backend*/) { return sum; }

LayerFunction make_subtract(const LayerSetting& /*layer*/, ActivationBackend /*backend*/) {
  return [](const LayerRun& run) { return run.inputs[0] - run.inputs[1]; };
}

LayerFunction make_multiply(const LayerSetting& /*layer*/, ActivationBackend /*backend*/) {
  return [](const LayerRun& run) { return fold(run, [](const Tensor& a, const Tensor& b) { return a * b; }); };
}

LayerFunction make_average(const LayerSetting& /*layer*/, ActivationBackend /*backend*/) {
  return [](const LayerRun& run) { return sum(run) / static_cast<double>(run.inputs.size()); };
}

LayerFunction make_maximum(const LayerSetting& /*layer*/, ActivationBackend /*backend*/) {
  return [](const LayerRun& run) {
    return fold(run, [](const Tensor& a, const Tensor& b) { return torch::maximum(a, b); });
  };
}

LayerFunction make_minimum(const LayerSetting& /*layer*/, ActivationBackend /*backend*/) {
  return [](const LayerRun& run) {
    return fold(run, [](const Tensor& a, const Tensor& b) { return torch::minimum(a, b); });
  };
}

LayerFunction make_weighted_sum(const LayerSetting& /*layer*/, ActivationBackend /*backend*/) {
  return [](const LayerRun& run) {
    Tensor result = run.inputs[0] * run.weights[0][0];
    for (std::size_t i = 1; i < run.inputs.size(); ++i) {
      result = result + run.inputs[i] * run.weights[0][static_cast<std::int64_t>(i)];
    }
    return result;
  };
}

LayerFunction make_concatenate(const LayerSetting& layer, ActivationBackend /*backend*/) {
  return [axis = static_cast<std::int64_t>(concatenate_axis(layer)) + 1](const LayerRun& run) {
    return torch::cat(torch::TensorList(run.inputs.data(), run.inputs.size()), axis);
  };
}

LayerFunction make_matmul(const LayerSetting& layer, ActivationBackend /*backend*/) {
  return [transpose_a = layer.flag("transpose_a"), transpose_b = layer.flag("transpose_b"),
          scale = layer.number("scale")](const LayerRun& run) {
    // The factor goes to the first matrix: the product may be larger.
    const Tensor a = scale == 1 ? run.inputs[0] : run.inputs[0] * scale;
    return torch::matmul(transpose_a ? a.transpose(-1, -2) : a,
                         transpose_b ? run.inputs[1].transpose(-1, -2) : run.inputs[1]);
  };
}

}  // namespace actforge
