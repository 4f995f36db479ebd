#pragma once

#include <cstdint>
#include <vector>

#include "actforge/surrogate/fuzzy_graph.h"

namespace actforge {

// The points of each connected part of a symmetric graph, each in rising order; the largest part first, of equal ones
// that with the lowest point.
std::vector<std::vector<std::uint32_t>> connected_components(const FuzzyGraph& graph);

// The edges among `points`, which are in rising order; they become points 0, 1, ...
FuzzyGraph subgraph(const FuzzyGraph& graph, const std::vector<std::uint32_t>& points);

}  // namespace actforge
