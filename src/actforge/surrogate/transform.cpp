#include "actforge/surrogate/transform.h"

#include <algorithm>
#include <string>

#include "actforge/base/error.h"

namespace actforge {
namespace {

constexpr double kMissing = 1e-4;  // in an intersection

void check_rows(PointsView embedding, PointsView features) {
  if (embedding.count == features.count) return;
  throw Error(ErrorCode::kBadInput, "an embedding of " + std::to_string(embedding.count) + " points, and features of " +
                                        std::to_string(features.count));
}

// The edge to a point that is the same, or none.
std::size_t same_point(const FuzzyGraph& edges, std::size_t i) {
  const std::span<const float> strengths = edges.strengths(i);
  const auto full = std::find(strengths.begin(), strengths.end(), 1.0F);
  return full == strengths.end() ? strengths.size() : static_cast<std::size_t>(full - strengths.begin());
}

// Row i: the mean of the rows of `points` that edges of i lead to, weighted by strength; of the same point, that row.
Points weighted_means(const FuzzyGraph& edges, PointsView points) {
  Points result(edges.count, points.width);
  std::vector<double> sum(points.width);
  for (std::size_t i = 0; i < edges.count; ++i) {
    const std::span<const std::uint32_t> neighbours = edges.neighbours(i);
    const std::span<const float> strengths = edges.strengths(i);
    if (const std::size_t same = same_point(edges, i); same < neighbours.size()) {
      std::copy_n(points.row(neighbours[same]).begin(), points.width, result.row(i).begin());
      continue;
    }
    std::fill(sum.begin(), sum.end(), 0.0);
    double total = 0;
    for (std::size_t e = 0; e < neighbours.size(); ++e) {
      const auto weight = static_cast<double>(strengths[e]);
      total += weight;
      for (std::size_t d = 0; d < sum.size(); ++d) sum[d] += weight * static_cast<double>(points.row(neighbours[e])[d]);
    }
    if (total == 0) continue;
    for (std::size_t d = 0; d < sum.size(); ++d) result.row(i)[d] = static_cast<float>(sum[d] / total);
  }
  return result;
}

// Rows of points that are the same as an old one lose their edges, so that nothing moves them.
FuzzyGraph without_same_points(const FuzzyGraph& edges) {
  FuzzyGraph result = {.count = edges.count, .begin = {0}};
  for (std::size_t i = 0; i < edges.count; ++i) {
    if (same_point(edges, i) == edges.strengths(i).size()) {
      const auto neighbours = edges.neighbours(i);
      const auto strengths = edges.strengths(i);
      result.neighbour.insert(result.neighbour.end(), neighbours.begin(), neighbours.end());
      result.strength.insert(result.strength.end(), strengths.begin(), strengths.end());
    }
    result.begin.push_back(result.neighbour.size());
  }
  return result;
}

}  // namespace

// A new point may be far from everything, so no neighbour is at full strength for being the nearest: rho is 0. The
// scale of each row depends on that row alone, whatever the others are.
FuzzyGraph new_edges(const NeighbourLists& nearest) {
  LocalScales scales;
  for (std::size_t i = 0; i < nearest.count; ++i) {
    NeighbourLists one = {.count = 1, .size = nearest.size};
    one.distance.assign(nearest.distances(i).begin(), nearest.distances(i).end());
    const LocalScales own = local_scales(one, {.local_connectivity = 0});
    scales.rho.push_back(own.rho[0]);
    scales.sigma.push_back(own.sigma[0]);
  }
  return directed_graph(nearest, scales, Side::kNewPoints);
}

FuzzyGraph combine_new_edges(const FuzzyGraph& one, const FuzzyGraph& other, Combination combination) {
  if (one.count != other.count) throw Error(ErrorCode::kBadInput, "edges of different numbers of new points");
  const double missing = combination == Combination::kUnion ? 0 : kMissing;
  return merged_graphs(one, other, combination, {.one = missing, .other = missing});
}

Points place_new_points(const FuzzyGraph& edges, PointsView embedding, const UmapOptions& options) {
  Points places = weighted_means(edges, embedding);
  LayoutOptions layout = layout_options(options, edges.count);
  layout.epochs = options.epochs != 0 ? options.epochs / 3 : 100;
  layout.learning_rate /= 4;
  optimise_new_points(without_same_points(edges), layout, embedding, places);
  return places;
}

Points transform(PointsView new_features, PointsView features, PointsView embedding, const NeighbourOptions& nearest,
                 const UmapOptions& options) {
  check_rows(embedding, features);
  return place_new_points(new_edges(neighbours_of(new_features, features, nearest)), embedding, options);
}

Points inverse_transform(PointsView places, PointsView embedding, PointsView features, std::size_t size) {
  check_rows(embedding, features);
  return weighted_means(new_edges(neighbours_of(places, embedding, {.size = size})), features);
}

}  // namespace actforge
