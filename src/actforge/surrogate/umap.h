#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "actforge/base/option_field.h"
#include "actforge/surrogate/combine_graphs.h"
#include "actforge/surrogate/fuzzy_graph.h"
#include "actforge/surrogate/layout.h"
#include "actforge/surrogate/neighbours.h"

namespace actforge {

// UMAP (McInnes, Healy and Melville 2018): few coordinates for points of many features, such that near points stay
// near. The steps are functions of their own, so that each result can be kept:
//
//   neighbours_among (neighbours.h) -> fuzzy_graph (fuzzy_graph.h) -> [combine_graphs (combine_graphs.h)] ->
//   umap_layout
//
// and for points that come later: neighbours_of -> new_edges -> [combine_new_edges] -> place_new_points (transform.h).

// What shapes an embedding. Neighbours and metric belong to a set of features: NeighbourOptions.
struct UmapOptions {
  std::uint64_t dimensions = 2;
  // Rounds of the layout; 0 is 500 up to 10,000 points, 200 beyond.
  std::uint64_t epochs = 0;
  // How close points may come in the embedding; raising it spreads clusters out.
  double min_dist = 0.1;
  // The scale of the embedding: distances at which edges become weak.
  double spread = 1;
  double learning_rate = 1;
  std::uint64_t negative_samples = 5;
  double repulsion = 1;
  // The answer is the same on any number of threads. The step "layout" counts epochs.
  RunContext run = {.threads = 0};
};

using UmapField = OptionField<UmapOptions>;
// What a user may set, without seed and threads, which come with the run.
std::span<const UmapField> umap_fields();

// Of a layout with these options, for a graph of `count` points.
LayoutOptions layout_options(const UmapOptions& options, std::size_t count);

// Spectral start, layout. A graph without points gives none, a single point is at the origin.
Points umap_layout(const FuzzyGraph& graph, const UmapOptions& options = {});

// All steps for one set of features. Throws Error (kBadInput) on a feature that is infinite or not a number.
Points umap(PointsView features, const NeighbourOptions& neighbours, const UmapOptions& options = {});

}  // namespace actforge
