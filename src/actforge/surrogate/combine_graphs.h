#pragma once

#include "actforge/surrogate/fuzzy_graph.h"

namespace actforge {

// One graph from two over the same points: how two kinds of features make one embedding.
enum class Combination {
  kUnion,         // near in either: a + b - ab
  kIntersection,  // near in both: ab
};

// As umap-learn's `+` and `*` of fitted models. An edge that one graph lacks has half that graph's least strength
// there. Afterwards local connectivity is restored, see below. Throws Error (kBadInput) for graphs of different size.
FuzzyGraph combine_graphs(const FuzzyGraph& one, const FuzzyGraph& other, Combination combination);

// The first half of it: all edges of both, without restoring anything. An edge that a graph lacks counts as this there:
struct Missing {
  double one = 0;
  double other = 0;
};
FuzzyGraph merged_graphs(const FuzzyGraph& one, const FuzzyGraph& other, Combination combination,
                         const Missing& missing);

// Makes the strongest edge of every point 1, and raises each row to the power that makes its strengths add up to
// log2(15), whatever the numbers of neighbours were; then the union of both views of an edge.
FuzzyGraph restore_local_connectivity(FuzzyGraph graph);

}  // namespace actforge
