#include "actforge/torch/fisher/patch_layout.h"

#include <functional>
#include <numeric>

namespace actforge {
namespace {

using torch::Tensor;

// Writes out the taps along one extent: their channels come side by side, and the window has one tap there. x is
// [samples, extents..., groups, channels].
Tensor write_out_axis(const Tensor& x, const Window& window, std::size_t axis, std::int64_t places) {
  const auto dim = static_cast<std::int64_t>(axis) + 1;
  std::vector<std::int64_t> pads(2 * static_cast<std::size_t>(x.dim() - dim), 0);  // the last dimension first
  pads[pads.size() - 2] = window.before[axis];
  pads[pads.size() - 1] = window.after[axis];
  const Tensor padded = torch::constant_pad_nd(x, pads);
  std::vector<Tensor> taps;
  for (std::int64_t a = 0; a < window.size[axis]; ++a) {
    const std::int64_t first = a * window.dilation[axis];
    taps.push_back(padded.slice(dim, first, first + (places - 1) * window.stride[axis] + 1, window.stride[axis]));
  }
  return torch::stack(taps, -2).flatten(-2);
}

}  // namespace

PatchLayout::PatchLayout(const PatchShape& shape, std::int64_t channels, const Shape& spatial, std::int64_t narrow)
    : shape_(shape),
      window_(shape.window),
      extents_(spatial),
      places_(spatial.empty() ? Shape{} : window_positions(shape.window, spatial)),
      width_(channels / shape.groups) {
  for (std::size_t axis = spatial.size(); axis-- > 0 && width_ < narrow;) {
    width_ *= window_.size[axis];
    extents_[axis] = places_[axis];
    window_.size[axis] = window_.stride[axis] = window_.dilation[axis] = 1;
    window_.before[axis] = window_.after[axis] = 0;
    ++written_axes_;
  }
  groups_ = patch_groups(window_, extents_);
}

Tensor PatchLayout::rows(const Tensor& x) const {
  std::vector<std::int64_t> sizes(x.sizes().begin(), x.sizes().end() - 1);
  sizes.insert(sizes.end(), {shape_.groups, x.size(-1) / shape_.groups});
  Tensor rows = x.reshape(sizes);
  for (std::size_t n = 0; n < written_axes_; ++n) {
    const std::size_t axis = places_.size() - 1 - n;
    rows = write_out_axis(rows, shape_.window, axis, places_[axis]);
  }
  return rows;
}

std::int64_t PatchLayout::product(const Shape& factors) {
  return std::accumulate(factors.begin(), factors.end(), std::int64_t{1}, std::multiplies<>());
}

}  // namespace actforge
