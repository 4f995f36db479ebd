#include <limits>

#include "actforge/net/graph/window.h"
#include "actforge/net/layers/layers.h"
#include "actforge/torch/execute/layer_call.h"

namespace actforge {
namespace {

using torch::Tensor;

// LibTorch pads both sides alike and by at most half a window.
bool pads_itself(const Window& window) {
  for (std::size_t i = 0; i < window.size.size(); ++i) {
    if (window.before[i] > window.size[i] / 2) return false;
  }
  return window.is_symmetric();
}

Tensor max_pool(const Tensor& x, const Window& w, const std::vector<std::int64_t>& padding) {
  switch (w.size.size()) {
    case 1: return torch::max_pool1d(x, w.size, w.stride, padding);
    case 2: return torch::max_pool2d(x, w.size, w.stride, padding);
    default: return torch::max_pool3d(x, w.size, w.stride, padding);
  }
}

// Zeros of the padding do not count.
Tensor average_pool(const Tensor& x, const Window& w, const std::vector<std::int64_t>& padding) {
  switch (w.size.size()) {
    case 1: return torch::avg_pool1d(x, w.size, w.stride, padding, false, false);
    case 2: return torch::avg_pool2d(x, w.size, w.stride, padding, false, false);
    default: return torch::avg_pool3d(x, w.size, w.stride, padding, false, false);
  }
}

std::vector<std::int64_t> spatial_dimensions(const Tensor& x) {
  std::vector<std::int64_t> dimensions;
  for (std::int64_t d = 2; d < x.dim(); ++d) dimensions.push_back(d);
  return dimensions;
}

LayerFunction make_max_pool(const LayerSetting& layer, ActivationBackend /*backend*/) {
  return [window = read_window(layer, "size")](const LayerCall& run) {
    if (pads_itself(window)) return max_pool(run.inputs[0], window, window.before);
    const double lowest = -std::numeric_limits<double>::infinity();
    const Tensor padded = pad_spatial(run.inputs[0], window.before, window.after, lowest);
    return max_pool(padded, window, std::vector<std::int64_t>(window.size.size(), 0));
  };
}

LayerFunction make_average_pool(const LayerSetting& layer, ActivationBackend /*backend*/) {
  return [window = read_window(layer, "size")](const LayerCall& run) {
    const Tensor& x = run.inputs[0];
    if (pads_itself(window)) return average_pool(x, window, window.before);
    // Averages with the zeros, divided by the share of the window that is not padding.
    const std::vector<std::int64_t> none(window.size.size(), 0);
    std::vector<std::int64_t> one = x.sizes().vec();
    one[0] = one[1] = 1;
    const Tensor inside = torch::ones(one, x.options());
    const Tensor share = average_pool(pad_spatial(inside, window.before, window.after), window, none);
    return average_pool(pad_spatial(x, window.before, window.after), window, none) / share;
  };
}

LayerFunction make_global_max(const LayerSetting& /*layer*/, ActivationBackend /*backend*/) {
  return [](const LayerCall& run) { return torch::amax(run.inputs[0], spatial_dimensions(run.inputs[0])); };
}

LayerFunction make_global_average(const LayerSetting& /*layer*/, ActivationBackend /*backend*/) {
  return [](const LayerCall& run) { return torch::mean(run.inputs[0], spatial_dimensions(run.inputs[0])); };
}

constexpr LayerExecution kRows[] = {
    {kMaxPoolLayer, make_max_pool, no_patches},
    {kAveragePoolLayer, make_average_pool, no_patches},
    {kGlobalMaxLayer, make_global_max, no_patches},
    {kGlobalAverageLayer, make_global_average, no_patches},
};

}  // namespace

std::span<const LayerExecution> pool_executions() { return kRows; }

}  // namespace actforge
