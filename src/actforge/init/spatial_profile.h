#pragma once

#include <memory>
#include <span>
#include <vector>

#include "actforge/init/layer_map.h"
#include "actforge/net/window.h"

namespace actforge {

// How the second moment of an image's numbers varies over its places: near the edges, where convolutions see the zeros
// of their padding, it is smaller. One number per place, relative to the average over all places, which is 1.
//
// It matters because the next convolution uses numbers in the middle more often than those at the edge: with averages
// alone the variance in All-CNN-C is underestimated by 20% after eight layers.
using Profile = std::vector<float>;
using ProfilePointer = std::shared_ptr<const Profile>;  // null: the same everywhere

// Sums over the points of a window, at all its places, of numbers that lie in an array of these extents; outside there
// are zeros.
Profile window_sums(const Profile& numbers, const Shape& extents, const Window& window);
// Of a transposed convolution: each number is added to the points of a window in the output.
Profile spread_sums(const Profile& numbers, const Shape& extents, const LayerSetting& layer, const Shape& output);

// For layers with windows: how many terms each output sums, weighted by the profile of the input, on average over the
// places, and the profile of the output.
struct WeightedTerms {
  double terms = 0;
  ProfilePointer profile = {};
};
WeightedTerms convolution_terms(const LayerSetting& layer, const Shape& output, const ProfilePointer& input);

// Relative to its average; null where it is the same everywhere.
ProfilePointer normalised_profile(Profile numbers);
// Relative to `whole`; null where it is the same everywhere.
ProfilePointer relative_deviations(Profile numbers, double whole);
// Averages of `values` over the points of a window, each with its weight.
Profile window_averages(const Profile& values, const ProfilePointer& weights, const Shape& extents,
                        const Window& window);

// The profile of a layer's output.
ProfilePointer next_profile(const MapQuestion& question, const MapAnswer& answer);

}  // namespace actforge
