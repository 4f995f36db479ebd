#pragma once

#include <memory>
#include <span>
#include <vector>

#include "actforge/init/maps/moment_map.h"
#include "actforge/net/graph/window.h"

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

double profile_average(const Profile& profile);
// Of the first input; null where the question has none.
ProfilePointer first_profile(const MomentQuery& question);
// The profile itself, or ones where it is null.
Profile profile_values(const ProfilePointer& profile, const Shape& extents);
// The extents after the channels.
Shape image_extents(const Shape& shape);

// Relative to its average; null where it is the same everywhere.
ProfilePointer normalised_profile(Profile numbers);
// Relative to `whole`; null where it is the same everywhere.
ProfilePointer relative_deviations(Profile numbers, double whole);
// Averages of `values` over the points of a window, each with its weight.
Profile window_averages(const Profile& values, const ProfilePointer& weights, const Shape& extents,
                        const Window& window);

// Columns of the table in moment_map_table.h.
// Of layers that make all places alike or mix them.
ProfilePointer uniform_profile(const MomentQuery& question, const MomentResult& answer);
// Of layers that leave the first input's numbers where they are.
ProfilePointer same_profile(const MomentQuery& question, const MomentResult& answer);

}  // namespace actforge
