#pragma once

#include <cstddef>
#include <cstdint>

#include "actforge/surrogate/fuzzy_graph.h"
#include "actforge/surrogate/membership_curve.h"

namespace actforge {

struct LayoutOptions {
  MembershipCurve curve;
  // Rounds. More settle finer; the weakest edges that still count are 1/epochs of the strongest.
  std::size_t epochs = 500;
  // How far a point moves in the first round; falls to zero in a straight line.
  double learning_rate = 1;
  // Random points that push a point away, for each edge that pulls it.
  std::size_t negative_samples = 5;
  // How hard they push.
  double repulsion = 1;
  // The answer is the same to the last bit on any number of threads. The step "layout" counts epochs; new points have
  // none.
  RunContext run = {.threads = 0};
};

// Moves the points until edges of the embedding are as strong as those of the graph, by UMAP's stochastic gradient
// descent. `graph` is symmetric and `embedding` has one row per point.
void optimise_layout(const FuzzyGraph& graph, const LayoutOptions& options, Points& embedding);

// The same for new points, while the old ones stay: row i of `edges` leads from new point i to points of `embedding`.
// A new point's place does not depend on which others come with it.
void optimise_new_points(const FuzzyGraph& edges, const LayoutOptions& options, PointsView embedding,
                         Points& new_points);

}  // namespace actforge
