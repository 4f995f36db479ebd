#pragma once

#include "actforge/fisher/fisher_options.h"
#include "actforge/fisher/patch_covariance.h"
#include "actforge/fisher/spectrum.h"
#include "actforge/train/model.h"

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
PatchShape patch_shape(const Network& network, LayerId layer);

// One passage forward and one backward, as in training: batches are normalised by themselves, dropout drops. The
// model's weights stop to require gradients.
KfacAnswer kfac_factors(Model& model, const KfacBatch& batch);

}  // namespace actforge
