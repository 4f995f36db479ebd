#pragma once

#include "actforge/surrogate/umap.h"

namespace actforge {

// New points in an embedding that is there already, which stays as it is; and the other way round. A new point is
// placed by itself: it does not matter which others come with it. One that is the same as an old one gets its place.

// From the nearest old points of new ones (neighbours_of, HnswIndex::of): strengths exp(-d/sigma), one row per new
// point.
FuzzyGraph new_edges(const NeighbourLists& nearest);

// For an embedding of two kinds of features. In a union an edge that is missing on one side has strength 0 there, in an
// intersection 1e-4.
FuzzyGraph combine_new_edges(const FuzzyGraph& one, const FuzzyGraph& other, Combination combination);

// Starts at the mean of the neighbours, weighted by strength, and continues as the layout does, with a third of its
// epochs (100 where that is left open) and a quarter of its learning rate.
Points place_new_points(const FuzzyGraph& edges, PointsView embedding, const UmapOptions& options = {});

// All steps for one set of features; `nearest` must be as for the embedding.
Points transform(PointsView new_features, PointsView features, PointsView embedding, const NeighbourOptions& nearest,
                 const UmapOptions& options = {});

// Features for places of the embedding: the mean of the `size` nearest points' features, weighted by how strong their
// edges are as new_edges() has it. At a point of the embedding these are that point's features.
Points inverse_transform(PointsView places, PointsView embedding, PointsView features, std::size_t size = 15);

}  // namespace actforge
