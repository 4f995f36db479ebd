#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "actforge/net/graph/window.h"

namespace actforge {

// A box of places in the part of the input that the first tap of a group sees; `count` of them along each extent.
struct PatchCell {
  std::vector<std::int64_t> begin, count;
  std::vector<std::size_t> pairs;  // of the group, to which this box belongs; perhaps none

  std::int64_t places() const;
};

// Pairs of taps (points of the window) that lie alike to each other. With a stride s a tap sees every s-th place of the
// input along an extent, from its phase on; place v of this part is phase + s v of the input. Where the first tap of a
// pair sees v of its part, the second one sees v + shift of its own.
struct PatchGroup {
  std::vector<std::int64_t> phase_a, phase_b, shift;
  std::vector<std::pair<std::size_t, std::size_t>> pairs;  // a <= b
  std::vector<PatchCell> cells;  // together all places where both taps are inside the input, each once

  bool is_diagonal() const { return pairs[0].first == pairs[0].second; }  // then all its pairs are
};

// How the covariance of patches is summed without patches. Its block for the taps a and b of the window is the sum of
// x[place a] x[place b]ᵀ over all places of the window. For taps that lie alike to each other these are sums over the
// same products, but for places near the border: so the products are summed once, in boxes that are cut where the range
// of one pair begins or ends, and each block is the sum of its boxes.
//   A window of k x k with stride 1 has (k²+1)k²/2 blocks, but only ((2k-1)²+1)/2 groups: 13 in place of 45 for 3 x 3.
// Every pair a <= b is in one group; taps are counted row by row. No extents mean one tap at one place.
std::vector<PatchGroup> patch_groups(const Window& window, const Shape& spatial);

}  // namespace actforge
