#include <algorithm>

#include "actforge/net/graph/window.h"
#include "actforge/net/layers/layers.h"
#include "actforge/torch/execute/fixed_convolution.h"
#include "actforge/torch/execute/layer_call.h"

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
          bias = layer.flag("bias")](const LayerCall& run) {
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
          groups = layer.integer("groups"), bias = layer.flag("bias")](const LayerCall& run) {
    return torch::convolution(run.inputs[0], run.weights[0],
                              bias ? c10::optional<Tensor>(run.weights[1]) : c10::nullopt, stride, margin, dilation,
                              /*transposed=*/true, extra, groups);
  };
}

LayerFunction make_dense(const LayerSetting& layer, ActivationBackend /*backend*/) {
  return [bias = layer.flag("bias")](const LayerCall& run) {
    return torch::linear(run.inputs[0], run.weights[0], bias ? c10::optional<Tensor>(run.weights[1]) : c10::nullopt);
  };
}

LayerFunction make_embedding(const LayerSetting& /*layer*/, ActivationBackend /*backend*/) {
  return [](const LayerCall& run) { return torch::embedding(run.weights[0], run.inputs[0]); };
}

LayerFunction make_position(const LayerSetting& /*layer*/, ActivationBackend /*backend*/) {
  return [](const LayerCall& run) { return run.inputs[0] + run.weights[0]; };
}

// Where the table has the way from place j to place i, for i, then j: the numbers of [N, N] in a row.
Tensor way_numbers(const Shape& grid) {
  const std::int64_t height = grid[0], width = grid[1], places = height * width;
  const Tensor numbers = torch::empty({places * places}, torch::kInt64);
  auto* number = numbers.data_ptr<std::int64_t>();
  for (std::int64_t i = 0; i < places; ++i) {
    for (std::int64_t j = 0; j < places; ++j) {
      const std::int64_t down = i / width - j / width, right = i % width - j % width;
      *number++ = (down + height - 1) * (2 * width - 1) + right + width - 1;
    }
  }
  return numbers;
}

LayerFunction make_relative_position(const LayerSetting& layer, ActivationBackend /*backend*/) {
  return [numbers = way_numbers(layer.extents("grid"))](const LayerCall& run) {
    const Tensor &x = run.inputs[0], &table = run.weights[0];
    return x + table.index_select(1, numbers.to(table.device())).view({x.size(1), x.size(2), x.size(3)});
  };
}

std::optional<PatchShape> conv_patches(const LayerSetting& layer) {
  return PatchShape{read_window(layer, "kernel"), layer.integer("groups"), layer.flag("bias")};
}

std::optional<PatchShape> depthwise_patches(const LayerSetting& layer) {
  return PatchShape{read_window(layer, "kernel"), layer.inputs[0].channels(), layer.flag("bias")};
}

std::optional<PatchShape> dense_patches(const LayerSetting& layer) { return PatchShape{.bias = layer.flag("bias")}; }

constexpr LayerExecution kRows[] = {
    {kConvLayer, make_conv, conv_patches},
    {kDepthwiseConvLayer, make_depthwise_conv, depthwise_patches},
    {kTransposedConvLayer, make_transposed_conv, no_patches},
    {kDenseLayer, make_dense, dense_patches},
    {kEmbeddingLayer, make_embedding, no_patches},
    {kPositionLayer, make_position, no_patches},
    {kRelativePositionLayer, make_relative_position, no_patches},
};

}  // namespace

std::span<const LayerExecution> linear_executions() { return kRows; }

}  // namespace actforge
