#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "actforge/base/run_context.h"
#include "actforge/surrogate/metric.h"
#include "actforge/surrogate/points.h"

namespace actforge {

// The nearest points of each of `count` points, `size` for each, the nearest first; of equally near ones the lower
// number is first. Among the points of one set, every point is its own first neighbour, at distance zero, and counts.
struct NeighbourLists {
  std::size_t count = 0;
  std::size_t size = 0;
  std::vector<std::uint32_t> index = {};  // count * size
  std::vector<float> distance = {};

  std::span<const std::uint32_t> indices(std::size_t i) const { return {index.data() + i * size, size}; }
  std::span<const float> distances(std::size_t i) const { return {distance.data() + i * size, size}; }
};

// Up to this many points, neighbours are found by measuring all distances.
inline constexpr std::size_t kExactLimit = 8192;

struct NeighbourOptions {
  Metric metric = Metric::kEuclidean;
  // Neighbours of a point, itself included. More show larger structures and blur small ones; never more than points.
  std::size_t size = 15;
  // Sets of more points than this are searched with a graph (hnsw_index.h), which misses a few neighbours in a hundred.
  std::size_t exact_limit = kExactLimit;
  // The seed is that graph's; the answer does not depend on the number of threads. The step "neighbours" is the graph.
  RunContext run = {.threads = 0};
};

// Throws Error (kBadInput) on a feature that is infinite or not a number, and names the row.
NeighbourLists neighbours_among(PointsView points, const NeighbourOptions& options);

// The neighbours in `points` of each new point, exactly; a point is not left out for being the same.
NeighbourLists neighbours_of(PointsView new_points, PointsView points, const NeighbourOptions& options);

// From the distances themselves, row after row; the diagonal is ignored. Throws Error (kBadInput) where it is not a
// square of finite numbers that are not negative.
NeighbourLists neighbours_in_matrix(std::span<const float> distances, const NeighbourOptions& options);

}  // namespace actforge
