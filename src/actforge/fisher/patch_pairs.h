#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "actforge/net/window.h"

namespace actforge {

// A box of places of the input, with `count` places along each extent, the window's stride apart: the first one that
// tap a reads, and the first one that tap b reads.
struct PatchCell {
  std::vector<std::int64_t> first_a, first_b, count;
  std::vector<std::size_t> pairs;  // of the group, to which this box belongs

  std::int64_t places() const;
};

// Pairs of taps (points of the window) that lie alike to each other.
struct PatchGroup {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;  // a <= b
  std::vector<PatchCell> cells;
};

// How the covariance of patches is summed without patches. Its block for the taps a and b of the window is the sum of
// x[place a] x[place b]ᵀ over all places of the window. For taps that lie alike to each other these are sums over the
// same products, but for places near the border: so the products are summed once, in boxes that are cut where the range
// of one pair begins or ends, and each block is the sum of its boxes.
//   A window of k x k with stride 1 has (k²+1)k²/2 blocks, but only ((2k-1)²+1)/2 groups: 13 in place of 45 for 3 x 3.
// Every pair a <= b is in one group; taps are counted row by row. No extents mean one tap at one place.
std::vector<PatchGroup> patch_groups(const Window& window, const Shape& spatial);

}  // namespace actforge
