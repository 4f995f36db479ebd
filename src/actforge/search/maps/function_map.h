#pragma once

#include "actforge/surrogate/umap.h"

namespace actforge {

// What functions are known by: outputs (output_features.h), spectra of the Fisher information (fisher/spectrum.h), one
// row per function in each. A kind that a map does not use has no columns.
struct FunctionFeatures {
  PointsView outputs = {};
  PointsView spectra = {};

  std::size_t count() const { return outputs.width > 0 ? outputs.count : spectra.count; }
};

struct MapOptions {
  // UMAP's n_neighbors. Spectra are noisy and have few, so that a map of both relies on the outputs more (paragraph
  // "Improving the Combined UMAP Projection").
  std::uint64_t output_neighbours = 15;
  std::uint64_t spectrum_neighbours = 3;
  // Its run context is that of all steps, which are "neighbours" and "layout".
  UmapOptions umap = {};
};

// Coordinates of functions in few dimensions, such that those alike are near: AQuaSurF's surrogate space. With both
// kinds of features it is the union: near are functions with alike outputs, or alike spectra. Throws Error (kBadInput)
// on a feature that is infinite or not a number.
Points map_functions(const FunctionFeatures& features, const MapOptions& options = {});

// Places in a map that is there, for functions that came later; the map stays as it is, and a function's place does not
// depend on which others come with it.
Points place_functions(const FunctionFeatures& later, const FunctionFeatures& features, PointsView map,
                       const MapOptions& options = {});

}  // namespace actforge
