#pragma once

#include "actforge/net/graph/layer_kind.h"

// Settings that name extents, as shape inference and execution both read them. All throw Error (kBadInput).
namespace actforge {

// `channels`, or a number from 0, from the end where it is negative.
std::size_t axis_number(const std::string& text, const Signal& signal);
std::size_t concatenate_axis(const LayerSetting& layer);
// Of softmax and the reductions.
std::size_t softmax_axis(const LayerSetting& layer);
std::vector<std::size_t> reduced_axes(const LayerSetting& layer);
// Of zero padding and cropping, per spatial extent: {before, after}.
struct Margins {
  std::vector<std::int64_t> before, after;
};
Margins read_margins(const LayerSetting& layer, std::string_view attribute);

}  // namespace actforge
