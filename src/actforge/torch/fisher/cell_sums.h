#pragma once

#include "actforge/torch/fisher/patch_layout.h"

namespace actforge {

// The sums over each cell of each group, one group after the other: of products, [cells, side, side], and of the first
// rows alone, [cells, side]. A side is the width, rounded up to whole panels; what is beyond the width is zero.
struct CellSums {
  torch::Tensor products = {}, columns = {};
};

// The sums over x, [samples, extents..., channels], by all threads. They share the samples, and each has sums of its
// own; where rows are wider than `wide` such sums would be large, and threads share their rows.
CellSums cell_sums(const PatchLayout& layout, const torch::Tensor& x, std::int64_t wide);

}  // namespace actforge
