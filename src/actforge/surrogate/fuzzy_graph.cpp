#include "actforge/surrogate/fuzzy_graph.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace actforge {
namespace {

constexpr double kTolerance = 1e-5;
constexpr int kBisections = 64;
// No sigma below this part of a mean distance: without it, points whose neighbours are all equally far would see
// nothing else.
constexpr double kLeastScale = 1e-3;

double mean(std::span<const float> values) {
  return values.empty() ? 0 : std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// The distance at which strength begins to fall: that of neighbour number `connectivity` among those that are not at
// the same place, interpolated where it is no whole number.
float nearest_distance(std::span<const float> distances, double connectivity) {
  const auto first = std::find_if(distances.begin(), distances.end(), [](float d) { return d > 0; });
  const std::span<const float> apart(first, distances.end());
  if (apart.empty()) return 0;
  if (static_cast<double>(apart.size()) < connectivity) return apart.back();
  const auto whole = static_cast<std::size_t>(connectivity);
  const double part = connectivity - static_cast<double>(whole);
  if (whole == 0) return static_cast<float>(part * static_cast<double>(apart[0]));
  float rho = apart[whole - 1];
  if (part > kTolerance) rho += static_cast<float>(part * static_cast<double>(apart[whole] - apart[whole - 1]));
  return rho;
}

double strength_sum(std::span<const float> distances, float rho, double sigma) {
  double sum = 0;
  for (const float distance : distances.subspan(1)) {
    const float beyond = distance - rho;
    sum += beyond > 0 ? std::exp(-static_cast<double>(beyond) / sigma) : 1;
  }
  return sum;
}

// The sum grows with sigma. Doubling until it is too large, then bisection.
double bisect_sigma(std::span<const float> distances, float rho, double target) {
  double low = 0, high = std::numeric_limits<double>::infinity(), sigma = 1;
  for (int i = 0; i < kBisections; ++i) {
    const double sum = strength_sum(distances, rho, sigma);
    if (std::fabs(sum - target) < kTolerance) break;
    (sum > target ? high : low) = sigma;
    sigma = std::isinf(high) ? 2 * sigma : (low + high) / 2;
  }
  return sigma;
}

struct Edge {
  std::uint32_t neighbour;
  float strength;
};

void append_row(std::vector<Edge>& row, FuzzyGraph& graph) {
  std::stable_sort(row.begin(), row.end(), [](const Edge& a, const Edge& b) { return a.neighbour < b.neighbour; });
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (row[i].strength <= 0 || (i > 0 && row[i].neighbour == row[i - 1].neighbour)) continue;
    graph.neighbour.push_back(row[i].neighbour);
    graph.strength.push_back(row[i].strength);
  }
  graph.begin.push_back(graph.neighbour.size());
}

FuzzyGraph transposed(const FuzzyGraph& graph) {
  FuzzyGraph result = {.count = graph.count, .begin = std::vector<std::size_t>(graph.count + 1)};
  for (const std::uint32_t j : graph.neighbour) ++result.begin[j + 1];
  std::partial_sum(result.begin.begin(), result.begin.end(), result.begin.begin());
  result.neighbour.resize(graph.edges());
  result.strength.resize(graph.edges());
  std::vector<std::size_t> next(result.begin.begin(), result.begin.end() - 1);
  for (std::size_t i = 0; i < graph.count; ++i) {
    for (std::size_t e = graph.begin[i]; e < graph.begin[i + 1]; ++e) {
      const std::size_t at = next[graph.neighbour[e]]++;
      result.neighbour[at] = static_cast<std::uint32_t>(i);
      result.strength[at] = graph.strength[e];
    }
  }
  return result;
}

}  // namespace

LocalScales local_scales(const NeighbourLists& neighbours, const ScaleOptions& options) {
  LocalScales scales = {.rho = std::vector<float>(neighbours.count), .sigma = std::vector<float>(neighbours.count)};
  if (neighbours.size == 0) return scales;
  const double target = std::log2(static_cast<double>(neighbours.size)) * options.bandwidth;
  const double overall = mean(neighbours.distance);
  for (std::size_t i = 0; i < neighbours.count; ++i) {
    const std::span<const float> row = neighbours.distances(i);
    const float rho = nearest_distance(row, options.local_connectivity);
    const double least = kLeastScale * (rho > 0 ? mean(row) : overall);
    const auto sigma = static_cast<float>(std::max(bisect_sigma(row, rho, target), least));
    scales.rho[i] = rho;
    scales.sigma[i] = sigma;
  }
  return scales;
}

FuzzyGraph directed_graph(const NeighbourLists& neighbours, const LocalScales& scales, Side side) {
  FuzzyGraph graph = {.count = neighbours.count, .begin = {0}};
  std::vector<Edge> row;
  for (std::size_t i = 0; i < neighbours.count; ++i) {
    row.clear();
    const std::span<const std::uint32_t> indices = neighbours.indices(i);
    const std::span<const float> distances = neighbours.distances(i);
    for (std::size_t j = 0; j < indices.size(); ++j) {
      if (side == Side::kSamePoints && indices[j] == i) continue;
      const float beyond = distances[j] - scales.rho[i];
      const bool full = beyond <= 0 || scales.sigma[i] == 0;
      row.push_back({indices[j], full ? 1.0F : std::exp(-beyond / scales.sigma[i])});
    }
    append_row(row, graph);
  }
  return graph;
}

FuzzyGraph symmetric_union(const FuzzyGraph& directed) {
  const FuzzyGraph other = transposed(directed);
  FuzzyGraph graph = {.count = directed.count, .begin = {0}};
  graph.begin.reserve(directed.count + 1);
  for (std::size_t i = 0; i < directed.count; ++i) {
    std::size_t a = directed.begin[i], b = other.begin[i];
    const std::size_t a_end = directed.begin[i + 1], b_end = other.begin[i + 1];
    while (a < a_end || b < b_end) {
      const bool from_a = b == b_end || (a < a_end && directed.neighbour[a] <= other.neighbour[b]);
      const bool from_b = a == a_end || (b < b_end && other.neighbour[b] <= directed.neighbour[a]);
      const double x = from_a ? static_cast<double>(directed.strength[a]) : 0;
      const double y = from_b ? static_cast<double>(other.strength[b]) : 0;
      graph.neighbour.push_back(from_a ? directed.neighbour[a] : other.neighbour[b]);
      graph.strength.push_back(static_cast<float>(either(x, y)));
      a += from_a;
      b += from_b;
    }
    graph.begin.push_back(graph.neighbour.size());
  }
  return graph;
}

FuzzyGraph fuzzy_graph(const NeighbourLists& neighbours, const RunContext& run) {
  run.check();
  const LocalScales scales = local_scales(neighbours);
  run.check();
  return symmetric_union(directed_graph(neighbours, scales));
}

}  // namespace actforge
