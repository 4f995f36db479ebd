#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "actforge/surrogate/fuzzy_graph.h"

namespace actforge {

struct ModeOptions {
  std::size_t count = 2;
  // The seed is that of the start of the iteration; the answer does not depend on the number of threads.
  RunContext run = {.threads = 0};
};

// The slowest modes of a connected graph: unit eigenvectors of the normalised Laplacian I - D^(-1/2) W D^(-1/2) with
// the smallest eigenvalues after zero, that of the trivial mode D^(1/2) 1. One row per point, one column per mode, in
// rising order of eigenvalues. The graph needs more points than there are modes, and each point an edge.
std::vector<double> slowest_modes(const FuzzyGraph& graph, const ModeOptions& options);

}  // namespace actforge
