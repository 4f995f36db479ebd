#pragma once

#include "actforge/spectrum/patch_pairs.h"
#include "actforge/torch/execute/layer_call.h"
#include "actforge/torch/execute/libtorch.h"

namespace actforge {

// What is to be summed: which rows of numbers are multiplied with which.
class PatchLayout {
 public:
  // Taps are written out, the last extent first, until a row has `narrow` numbers.
  PatchLayout(const PatchShape& shape, std::int64_t channels, const Shape& spatial, std::int64_t narrow);

  const PatchShape& shape() const { return shape_; }
  const Window& window() const { return window_; }   // what is left of the layer's
  const Shape& extents() const { return extents_; }  // of the input, taps written out
  const Shape& places() const { return places_; }    // of the window
  std::int64_t width() const { return width_; }      // of a row: channels of a group, times taps written out
  std::span<const PatchGroup> groups() const { return groups_; }
  bool wants_columns(const PatchGroup& group) const { return shape_.bias && group.is_diagonal(); }

  // [samples, extents..., channels] of the input as [samples, extents..., groups, width].
  torch::Tensor rows(const torch::Tensor& x) const;

  static std::int64_t product(const Shape& factors);

 private:
  PatchShape shape_;
  Window window_;
  std::size_t written_axes_ = 0;
  Shape extents_, places_;
  std::int64_t width_;
  std::vector<PatchGroup> groups_;
};

}  // namespace actforge
