#pragma once

#include "actforge/torch/execute/libtorch.h"
#include "actforge/torch/fisher/patch_layout.h"

namespace actforge {

// How the sums are made; which way is the fastest depends on the width of a row alone.
struct PatchMethod {
  // Where patches would be narrower, a product spends more on moving numbers than on multiplying them: then taps are
  // written out after all, extent by extent.
  std::int64_t narrow = 8;
  // Where rows are wider, threads share the rows of the sums rather than the samples.
  std::int64_t wide = 64;
};

// Σ [1 p]ᵀ[1 p] over the samples, places and groups of channels, where p is a patch of x: tap by tap, the channels of a
// group side by side. The leading one is there with a bias alone. x is [N, channels, spatial...], or [rows, channels]
// where there is no window. In double precision, whatever x has: eigenvalues a million times smaller than the largest
// are wanted too.
torch::Tensor patch_products(const torch::Tensor& x, const PatchShape& shape, const PatchMethod& method = {});

}  // namespace actforge
