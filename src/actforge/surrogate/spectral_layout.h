#pragma once

#include <cstddef>
#include <cstdint>

#include "actforge/surrogate/fuzzy_graph.h"

namespace actforge {

struct SpectralOptions {
  std::size_t dimensions = 2;
  RunContext run = {.threads = 0};  // the answer does not depend on the number of threads
};

// Where the layout starts: every connected part by its slowest modes, which put strongly linked points side by side;
// the largest coordinate is 10, and normal noise of 1e-4 tells points apart that have the same place.
//
// A graph of several parts: each fills a square (in one dimension, an interval) of an area in proportion to its points,
// and the squares are in rows, the largest first. Parts are not linked, so their positions mean nothing. Parts of
// fewer than twice as many points as dimensions, and any part where the modes are not finite, are filled at random.
Points spectral_layout(const FuzzyGraph& graph, const SpectralOptions& options);

// Uniform in [-10, 10].
Points random_layout(std::size_t count, const SpectralOptions& options);

}  // namespace actforge
