#pragma once

#include <cstddef>

#include "actforge/base/run_context.h"
#include "actforge/surrogate/neighbours.h"

namespace actforge {

// How well an embedding keeps what is near. Both look at the `size` nearest other points of each point. The answers do
// not depend on the number of threads. Throw Error (kCancelled) where the run is told to stop.

// Venna and Kaski (2001): 1 - 2/(n k (2n-3k-1)) * the sum, over neighbours in the embedding that are none among the
// features, of how far beyond k their rank among the features is. 1 is perfect. `distances` is the whole matrix of the
// features. Throws Error (kBadInput) unless size < n/2.
double trustworthiness(std::span<const float> distances, PointsView embedding, std::size_t size,
                       const RunContext& run = {.threads = 0});

// The mean part of a point's neighbours among the features that are also neighbours in the embedding.
double neighbour_preservation(std::span<const float> distances, PointsView embedding, std::size_t size,
                              const RunContext& run = {.threads = 0});

}  // namespace actforge
