#pragma once

#include <functional>
#include <optional>
#include <span>

#include "actforge/net/graph/window.h"
#include "actforge/torch/execute/activation.h"
#include "actforge/torch/execute/libtorch.h"

namespace actforge {

// One passage through a layer.
struct LayerCall {
  std::span<const torch::Tensor> inputs;   // [N, sample...]
  std::span<const torch::Tensor> weights;  // as Layer::weights
  bool training = false;
  torch::Generator generator = {};  // of dropout
};
using LayerFunction = std::function<torch::Tensor(const LayerCall& run)>;

// How a layer with weights looks at its input: the same weights at every place.
struct PatchShape {
  Window window = {};       // none for a dense layer
  std::int64_t groups = 1;  // channels that share no weights; as many as channels where the layer is depthwise
  bool bias = false;
};

// How a kind of layer is computed. The columns are references, so that a row that forgets one does not compile.
struct LayerExecution {
  const LayerKind& kind;
  // Reads a layer's settings once, and gives what computes it.
  LayerFunction (&make)(const LayerSetting& layer, ActivationBackend backend);
  // What K-FAC sums up for the layer's factors, or no_patches().
  std::optional<PatchShape> (&patches)(const LayerSetting& layer);
};

// Throws Error (kFailed) where the kind has no row.
const LayerExecution& find_layer_execution(const LayerKind& kind);
LayerFunction make_layer(const LayerSetting& layer, ActivationBackend backend);

// Of kinds without weights, or with weights that K-FAC has no factors for.
std::optional<PatchShape> no_patches(const LayerSetting& layer);

// The rows, each in the file of its family: a new kind is its functions and a row there.
std::span<const LayerExecution> basic_executions();      // basic.cpp
std::span<const LayerExecution> linear_executions();     // linear.cpp
std::span<const LayerExecution> merge_executions();      // merge.cpp
std::span<const LayerExecution> pool_executions();       // pool.cpp
std::span<const LayerExecution> recurrent_executions();  // recurrent.cpp
std::span<const LayerExecution> shape_executions();      // shape.cpp

// Zeros (or another value) around the spatial extents of [N, C, spatial...].
torch::Tensor pad_spatial(const torch::Tensor& x, std::span<const std::int64_t> before,
                          std::span<const std::int64_t> after, double value = 0);

}  // namespace actforge
