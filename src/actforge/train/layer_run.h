#pragma once

#include <torch/torch.h>

#include <functional>
#include <span>

#include "actforge/net/layer_kind.h"
#include "actforge/train/activation.h"

namespace actforge {

// One passage through a layer.
struct LayerRun {
  std::span<const torch::Tensor> inputs;   // [N, sample...]
  std::span<const torch::Tensor> weights;  // as Layer::weights
  bool training = false;
  torch::Generator generator = {};  // of dropout
};
using LayerFunction = std::function<torch::Tensor(const LayerRun& run)>;

// Reads a layer's settings once, and gives what computes it.
using MakeLayer = LayerFunction (*)(const LayerSetting& layer, ActivationBackend backend);

// A row of the table in execute_layer.cpp: how a kind of layer is computed.
struct LayerExecution {
  const LayerKind* kind;
  MakeLayer make;
};

LayerFunction make_layer(const LayerSetting& layer, ActivationBackend backend);

// By file.
// execute_linear.cpp
LayerFunction make_conv(const LayerSetting& layer, ActivationBackend backend);
LayerFunction make_depthwise_conv(const LayerSetting& layer, ActivationBackend backend);
LayerFunction make_transposed_conv(const LayerSetting& layer, ActivationBackend backend);
LayerFunction make_dense(const LayerSetting& layer, ActivationBackend backend);
LayerFunction make_embedding(const LayerSetting& layer, ActivationBackend backend);
LayerFunction make_position(const LayerSetting& layer, ActivationBackend backend);
// execute_basic.cpp
LayerFunction make_activation(const LayerSetting& layer, ActivationBackend backend);
LayerFunction make_dropout(const LayerSetting& layer, ActivationBackend backend);
LayerFunction make_spatial_dropout(const LayerSetting& layer, ActivationBackend backend);
LayerFunction make_batch_norm(const LayerSetting& layer, ActivationBackend backend);
LayerFunction make_layer_norm(const LayerSetting& layer, ActivationBackend backend);
LayerFunction make_group_norm(const LayerSetting& layer, ActivationBackend backend);
// execute_pool.cpp
LayerFunction make_max_pool(const LayerSetting& layer, ActivationBackend backend);
LayerFunction make_average_pool(const LayerSetting& layer, ActivationBackend backend);
LayerFunction make_global_max(const LayerSetting& layer, ActivationBackend backend);
LayerFunction make_global_average(const LayerSetting& layer, ActivationBackend backend);
// execute_merge.cpp
LayerFunction make_add(const LayerSetting& layer, ActivationBackend backend);
LayerFunction make_subtract(const LayerSetting& layer, ActivationBackend backend);
LayerFunction make_multiply(const LayerSetting& layer, ActivationBackend backend);
LayerFunction make_average(const LayerSetting& layer, ActivationBackend backend);
LayerFunction make_maximum(const LayerSetting& layer, ActivationBackend backend);
LayerFunction make_minimum(const LayerSetting& layer, ActivationBackend backend);
LayerFunction make_weighted_sum(const LayerSetting& layer, ActivationBackend backend);
LayerFunction make_concatenate(const LayerSetting& layer, ActivationBackend backend);
LayerFunction make_matmul(const LayerSetting& layer, ActivationBackend backend);
// execute_shape.cpp
LayerFunction make_zero_padding(const LayerSetting& layer, ActivationBackend backend);
LayerFunction make_cropping(const LayerSetting& layer, ActivationBackend backend);
LayerFunction make_up_sampling(const LayerSetting& layer, ActivationBackend backend);
LayerFunction make_flatten(const LayerSetting& layer, ActivationBackend backend);
LayerFunction make_reshape(const LayerSetting& layer, ActivationBackend backend);
LayerFunction make_permute(const LayerSetting& layer, ActivationBackend backend);
LayerFunction make_slice(const LayerSetting& layer, ActivationBackend backend);
LayerFunction make_constant(const LayerSetting& layer, ActivationBackend backend);
LayerFunction make_softmax(const LayerSetting& layer, ActivationBackend backend);
LayerFunction make_reduce_mean(const LayerSetting& layer, ActivationBackend backend);
LayerFunction make_reduce_sum(const LayerSetting& layer, ActivationBackend backend);
// execute_recurrent.cpp
LayerFunction make_lstm(const LayerSetting& layer, ActivationBackend backend);
LayerFunction make_gru(const LayerSetting& layer, ActivationBackend backend);
LayerFunction make_simple_rnn(const LayerSetting& layer, ActivationBackend backend);

// Zeros (or another value) around the spatial extents of [N, C, spatial...].
torch::Tensor pad_spatial(const torch::Tensor& x, std::span<const std::int64_t> before,
                          std::span<const std::int64_t> after, double value = 0);

}  // namespace actforge
