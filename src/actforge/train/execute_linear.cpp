#include <algorithm>

#include "actforge/net/window.h"
#include "actforge/train/fixed_convolution.h"
#include "actforge/train/layer_run.h"

namespace actforge {
namespace {

using torch::Tensor;

std::vector<std::int64_t> minus(const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b) {
  std::vector<std::int64_t> difference(a.size());
  std::transform(a.begin(), a.end(), b.begin(), difference.begin(), std::minus<>());
  return difference;
}

LayerFunction convolution(const LayerSetting& layer, std::int64_t groups) {
  const Window window = read_window(layer, "kernel");
  // LibTorch pads both sides alike; what one side has more is added beforehand.
  std::vector<std::int64_t> common(window.before.size());
  std::transform(window.before.begin(), window.before.end(), window.after.begin(), common.begin(),
                 [](std::int64_t a, std::int64_t b) { return std::min(a, b); });
  return [window, common, before = minus(window.before, common), after = minus(window.after, common), groups,
          bias = layer.flag("bias")](const LayerRun& run) {
    const Tensor x = window.is_symmetric() ? run.inputs[0] : pad_spatial(run.inputs[0], before, after);
    if (x.requires_grad() && !run.weights[0].requires_grad()) {
      return fixed_convolution(x, run.weights[0],
                               {window.stride, common, window.dilation, groups, bias ? run.weights[1] : Tensor()});
    }
    const std::vector<std::int64_t> no_output_padding(common.size(), 0);
    return torch::convolution(x, run.weights[0], bias ? c10::optional<Tensor>(run.weights[1]) : c10::nullopt,
                              window.stride, common, window.dilation, /*transposed=*/false, no_output_padding, groups);
  };
}

}  // namespace

Tensor pad_spatial(const Tensor& x, std::span<const std::int64_t> before, std::span<const std::int64_t> after,
                   double value) {
  std::vector<std::int64_t> pads;  // the last extent first
  for (std::size_t i = before.size(); i-- > 0;) {
    pads.push_back(before[i]);
    pads.push_back(after[i]);
  }
  return torch::constant_pad_nd(x, pads, value);
}

LayerFunction make_conv(const LayerSetting& layer, ActivationBackend /*backend*/) {
  return convolution(layer, layer.integer("groups"));
}

LayerFunction make_depthwise_conv(const LayerSetting& layer, ActivationBackend /*backend*/) {
  return convolution(layer, layer.inputs[0].channels());
}

LayerFunction make_transposed_conv(const LayerSetting& layer, ActivationBackend /*backend*/) {
  const auto list = [&](std::string_view attribute) {
    return per_extent(layer, attribute, spatial_extents(layer).size());
  };
  return [stride = list("stride"), dilation = list("dilation"), margin = list("margin"), extra = list("extra"),
          groups = layer.integer("groups"), bias = layer.flag("bias")](const LayerRun& run) {
    return torch::convolution(run.inputs[0], run.weights[0],
                              bias ? c10::optional<Tensor>(run.weights[1]) : c10::nullopt, stride, margin, dilation,
                              /*transposed=*/true, extra, groups);
  };
}

LayerFunction make_dense(const LayerSetting& layer, ActivationBackend /*backend*/) {
  return [bias = layer.flag("bias")](const LayerRun& run) {
    return torch::linear(run.inputs[0], run.weights[0], bias ? c10::optional<Tensor>(run.weights[1]) : c10::nullopt);
  };
}

LayerFunction make_embedding(const LayerSetting& /*layer*/, ActivationBackend /*backend*/) {
  return [](const LayerRun& run) { return torch::embedding(run.weights[0], run.inputs[0]); };
}

LayerFunction make_position(const LayerSetting& /*layer*/, ActivationBackend /*backend*/) {
  return [](const LayerRun& run) { return run.inputs[0] + run.weights[0]; };
}

}  // namespace actforge
