#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "actforge/surrogate/neighbours.h"

namespace actforge {

// How a point sees distances: its nearest other point is at `rho`, and strength falls by 1/e every `sigma` beyond.
struct LocalScales {
  std::vector<float> rho = {};
  std::vector<float> sigma = {};
};

struct ScaleOptions {
  // Neighbours at full strength. UMAP has 1 among the points of a set, and 0 for new points, whose nearest neighbour
  // may be far away.
  double local_connectivity = 1;
  // log2 of the number of neighbours, times this, is what strengths add up to.
  double bandwidth = 1;
};

// UMAP's scales: sigma solves  sum_j exp(-max(0, d_ij - rho_i)/sigma_i) = bandwidth*log2(k)  over all neighbours but
// the first of the list.
LocalScales local_scales(const NeighbourLists& neighbours, const ScaleOptions& options = {});

// One strength in (0, 1] for every edge; rows as in a compressed sparse matrix, with columns in rising order.
struct FuzzyGraph {
  std::size_t count = 0;                 // rows
  std::vector<std::size_t> begin = {0};  // count + 1
  std::vector<std::uint32_t> neighbour = {};
  std::vector<float> strength = {};

  std::span<const std::uint32_t> neighbours(std::size_t i) const {
    return std::span(neighbour).subspan(begin[i], begin[i + 1] - begin[i]);
  }
  std::span<const float> strengths(std::size_t i) const {
    return std::span(strength).subspan(begin[i], begin[i + 1] - begin[i]);
  }
  std::size_t edges() const { return neighbour.size(); }
};

// Whose neighbours the lists have: those of the points themselves, or of new ones.
enum class Side { kSamePoints, kNewPoints };

// Each point's own view, exp(-max(0, d_ij - rho_i)/sigma_i): not symmetric, without the point itself.
FuzzyGraph directed_graph(const NeighbourLists& neighbours, const LocalScales& scales, Side side = Side::kSamePoints);

// At least one of two independent events: a + b - ab = 1 - (1-a)(1-b), written so that it is exactly 1 where a or b is.
// With the first form in single precision, as umap-learn has it, many such edges are 0.99999994; restoring local
// connectivity (combine_graphs.h) raises some rows to the power 2^32, where that is nothing.
inline double either(double a, double b) { return 1 - (1 - a) * (1 - b); }

// The union of both views of an edge, a + b - ab: the probability that at least one of two independent edges is there.
FuzzyGraph symmetric_union(const FuzzyGraph& directed);

// All of it: UMAP's fuzzy simplicial set, with set_op_mix_ratio 1.
FuzzyGraph fuzzy_graph(const NeighbourLists& neighbours, const RunContext& run = {});

}  // namespace actforge
