#include "actforge/surrogate/umap.h"

#include <algorithm>

#include "actforge/surrogate/spectral_layout.h"

namespace actforge {
namespace {

using O = UmapOptions;

constexpr UmapField kFields[] = {
    {"dimensions", "coordinates of the embedding", &O::dimensions, 1, 1000},
    {"epochs", "rounds of the layout; 0: 500 up to 10,000 points, 200 beyond", &O::epochs, 0, 1e6},
    {"min-dist", "how close points may come in the embedding", &O::min_dist, 0, 1e3},
    {"spread", "distance at which edges of the embedding become weak", &O::spread, 1e-3, 1e3},
    {"learning-rate", "how far points move in the first round", &O::learning_rate, 1e-6, 1e3},
    {"negative-samples", "random points that push a point away, for each that pulls it", &O::negative_samples, 0, 1000},
    {"repulsion", "how hard they push", &O::repulsion, 0, 1e3},
};

// Every coordinate from 0 to 10, as wide as the layout's steps expect.
void stretch(Points& embedding) {
  for (std::size_t d = 0; d < embedding.width; ++d) {
    float low = embedding.row(0)[d], high = low;
    for (std::size_t i = 0; i < embedding.count; ++i) {
      low = std::min(low, embedding.row(i)[d]);
      high = std::max(high, embedding.row(i)[d]);
    }
    if (high == low) continue;
    for (std::size_t i = 0; i < embedding.count; ++i) {
      float& x = embedding.row(i)[d];
      x = 10 * (x - low) / (high - low);
    }
  }
}

}  // namespace

std::span<const UmapField> umap_fields() { return kFields; }

LayoutOptions layout_options(const UmapOptions& options, std::size_t count) {
  return {.curve = fit_membership_curve(options.spread, options.min_dist),
          .epochs = options.epochs != 0 ? options.epochs
                    : count <= 10'000   ? 500
                                        : 200,
          .learning_rate = options.learning_rate,
          .negative_samples = options.negative_samples,
          .repulsion = options.repulsion,
          .run = options.run};
}

Points umap_layout(const FuzzyGraph& graph, const UmapOptions& options) {
  if (graph.count < 2) return {graph.count, options.dimensions};
  Points embedding = spectral_layout(graph, {.dimensions = options.dimensions, .run = options.run});
  stretch(embedding);
  optimise_layout(graph, layout_options(options, graph.count), embedding);
  return embedding;
}

Points umap(PointsView features, const NeighbourOptions& neighbours, const UmapOptions& options) {
  return umap_layout(fuzzy_graph(neighbours_among(features, neighbours), options.run), options);
}

}  // namespace actforge
