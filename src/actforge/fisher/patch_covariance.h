#pragma once

#include <torch/torch.h>

#include "actforge/fisher/patch_pairs.h"

namespace actforge {

// How a layer with weights looks at its input: the same weights at every place.
struct PatchShape {
  Window window = {};       // none for a dense layer
  std::int64_t groups = 1;  // channels that share no weights; as many as channels where the layer is depthwise
  bool bias = false;
};

// Σ [1 p]ᵀ[1 p] over the samples, places and groups of channels, where p is a patch of x: tap by tap, the channels of a
// group side by side. The leading one is there with a bias alone. x is [N, channels, spatial...], or [rows, channels]
// where there is no window. In double precision, whatever x has: eigenvalues a million times smaller than the largest
// are wanted too. Where patches would be narrower than `narrow`, a matrix product spends more on moving numbers than on
// multiplying them: then taps are written out after all, extent by extent.
torch::Tensor patch_products(const torch::Tensor& x, const PatchShape& shape, std::int64_t narrow = 8);

}  // namespace actforge
