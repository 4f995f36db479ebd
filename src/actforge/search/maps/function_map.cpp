#include "actforge/search/maps/function_map.h"

#include "actforge/surrogate/transform.h"

namespace actforge {
namespace {

// Metrics as in paragraph "UMAP Settings", for which features are scaled such that they are the dissertation's two
// distances.
NeighbourOptions output_metric(const MapOptions& options) {
  return {.metric = Metric::kEuclidean, .size = options.output_neighbours, .run = options.umap.run};
}

NeighbourOptions spectrum_metric(const MapOptions& options) {
  return {.metric = Metric::kManhattan, .size = options.spectrum_neighbours, .run = options.umap.run};
}

// Of the kinds of features there are: the result of `make` for one, of `combine` for both.
template <class Make, class Combine>
FuzzyGraph graph_of(const FunctionFeatures& features, const Make& make, const Combine& combine) {
  if (features.spectra.width == 0) return make(true);
  if (features.outputs.width == 0) return make(false);
  return combine(make(false), make(true), Combination::kUnion);
}

}  // namespace

Points map_functions(const FunctionFeatures& features, const MapOptions& options) {
  const RunContext& run = options.umap.run;
  const auto make = [&](bool outputs) {
    return outputs ? fuzzy_graph(neighbours_among(features.outputs, output_metric(options)), run)
                   : fuzzy_graph(neighbours_among(features.spectra, spectrum_metric(options)), run);
  };
  run.show("neighbours", 0, 1);
  const FuzzyGraph graph = graph_of(features, make, combine_graphs);
  run.show("layout", 0, 1);
  return umap_layout(graph, options.umap);
}

Points place_functions(const FunctionFeatures& later, const FunctionFeatures& features, PointsView map,
                       const MapOptions& options) {
  const auto make = [&](bool outputs) {
    return outputs ? new_edges(neighbours_of(later.outputs, features.outputs, output_metric(options)))
                   : new_edges(neighbours_of(later.spectra, features.spectra, spectrum_metric(options)));
  };
  return place_new_points(graph_of(later, make, combine_new_edges), map, options.umap);
}

}  // namespace actforge
