#include "actforge/search/function_map.h"

#include "actforge/surrogate/transform.h"

namespace actforge {
namespace {

StepProgress progress_of(const MapOptions& options, std::string_view step) {
  if (!options.progress) return {};
  return [&options, step](std::size_t done, std::size_t total) { options.progress(step, done, total); };
}

// Metrics as in paragraph "UMAP Settings", for which features are scaled such that they are the dissertation's two
// distances.
NeighbourOptions output_metric(const MapOptions& options) {
  return {.metric = Metric::kEuclidean,
          .size = options.output_neighbours,
          .seed = options.umap.seed,
          .threads = options.umap.threads,
          .progress = progress_of(options, "neighbours")};
}

NeighbourOptions spectrum_metric(const MapOptions& options) {
  return {.metric = Metric::kManhattan,
          .size = options.spectrum_neighbours,
          .seed = options.umap.seed,
          .threads = options.umap.threads,
          .progress = progress_of(options, "neighbours")};
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
  const auto make = [&](bool outputs) {
    return outputs ? fuzzy_graph(neighbours_among(features.outputs, output_metric(options)))
                   : fuzzy_graph(neighbours_among(features.spectra, spectrum_metric(options)));
  };
  const auto tell = [&options](std::string_view step) {
    if (options.progress) options.progress(step, 0, 1);
  };
  tell("neighbours");
  const FuzzyGraph graph = graph_of(features, make, combine_graphs);
  tell("layout");
  UmapOptions umap = options.umap;
  umap.progress = progress_of(options, "layout");
  return umap_layout(graph, umap);
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
