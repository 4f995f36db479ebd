#pragma once

#include "actforge/spectrum/fisher_options.h"
#include "actforge/spectrum/spectrum.h"
#include "actforge/torch/execute/model.h"
#include "actforge/torch/fisher/patch_covariance.h"

namespace actforge {

// The block of one layer's weights, approximately Ω ⊗ Γ. Where several layers share weights, each use counts as more
// places of the first.
struct KroneckerFactors {
  LayerId layer = 0;
  torch::Tensor omega = {};  // E Σ [1 p]ᵀ[1 p] over the patches p of a sample
  torch::Tensor gamma = {};  // E Σ dᵀd / places, over the gradients d of the sample's loss by what the layer gives
};

struct KfacBatch {
  torch::Tensor images = {};  // [N, sample...]
  torch::Tensor labels = {};  // of the data; only looked at if they are wanted
  FisherLabels kind = FisherLabels::kModel;
  std::uint64_t seed = 0;  // of labels and dropout
};

struct KfacAnswer {
  std::vector<KroneckerFactors> factors = {};  // in the order of the layers
  std::vector<SkippedLayer> untouched = {};    // by the loss: they lead to other outputs of the network alone
  std::string failure = {};                    // what was undefined or zero; then the factors are not complete
};

// Which layers have factors, and why others with weights have none.
std::vector<LayerId> factored_layers(const Network& network);
std::vector<SkippedLayer> unfactored_layers(const Network& network);
// How a layer looks at its input; nothing where it has no factors.
std::optional<PatchShape> patch_shape(const Network& network, LayerId layer);

// One forward and one backward pass in training mode: batch statistics are used, dropout is active. The
// model's weights no longer require gradients afterwards.
KfacAnswer kfac_factors(Model& model, const KfacBatch& batch);

}  // namespace actforge
