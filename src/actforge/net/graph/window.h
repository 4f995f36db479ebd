#pragma once

#include <vector>

#include "actforge/net/graph/layer_kind.h"

namespace actforge {

// How a convolution or a pooling moves over the spatial extents of its input; one number per extent in each list.
struct Window {
  std::vector<std::int64_t> size, stride, dilation;
  std::vector<std::int64_t> before, after;  // zeros put around the input

  bool is_symmetric() const { return before == after; }
};

// A list with one number per spatial extent, where one given number stands for all. Throws Error (kBadInput).
std::vector<std::int64_t> per_extent(const LayerSetting& layer, std::string_view attribute, std::size_t extents);

// The padding `text` says: `valid`, `same`, or numbers of zeros, `1`, `1x2`, `0:1x0:1` with before:after.
//   same: as many windows as input / stride, rounded up, the odd zero at the end (TensorFlow's rule).
// Throws Error (kBadInput).
void set_padding(Window& window, const std::string& text, const Shape& spatial);

// The settings kernel or size, stride, dilation and padding of a layer over images [channels, spatial...].
Window read_window(const LayerSetting& layer, std::string_view size_attribute);

// Extents of the output: how many places the window has. Throws Error (kBadInput) where it does not fit even once.
Shape window_positions(const Window& window, const Shape& spatial);

// The extents after the channels. Throws Error (kBadInput) unless there are one to three and the channels come first.
Shape spatial_extents(const LayerSetting& layer);

}  // namespace actforge
