#include "actforge/surrogate/combine_graphs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "actforge/base/error.h"

namespace actforge {
namespace {

constexpr double kTolerance = 1e-5;
constexpr int kBisections = 32;
// umap-learn adds up to this whatever the number of neighbours was.
const double kTarget = std::log2(15.0);

// What an edge that is not there counts as.
double absent(const FuzzyGraph& graph, double most) {
  double least = graph.strength.empty() ? 0 : std::numeric_limits<double>::infinity();
  for (const float strength : graph.strength) least = std::min(least, static_cast<double>(strength));
  return std::clamp(least / 2, 1e-8, most);
}

float together(double a, double b, Combination combination) {
  return static_cast<float>(combination == Combination::kUnion ? either(a, b) : a * b);
}

// Falls as the power grows, as all strengths are at most 1.
double power_sum(std::span<const float> row, double power) {
  double sum = 0;
  for (const float strength : row) sum += std::pow(static_cast<double>(strength), power);
  return sum;
}

double bisect_power(std::span<const float> row) {
  double low = 0, high = std::numeric_limits<double>::infinity(), power = 1;
  for (int i = 0; i < kBisections; ++i) {
    const double sum = power_sum(row, power);
    if (std::fabs(sum - kTarget) < kTolerance) break;
    (sum < kTarget ? high : low) = power;
    power = std::isinf(high) ? 2 * power : (low + high) / 2;
  }
  return power;
}

void rescale_row(std::span<float> row) {
  if (row.empty()) return;
  const float most = *std::max_element(row.begin(), row.end());
  if (most > 0) {
    for (float& strength : row) strength /= most;
  }
  const double power = bisect_power(row);
  for (float& strength : row) {
    strength = static_cast<float>(std::pow(static_cast<double>(strength), power));
  }
}

}  // namespace

FuzzyGraph restore_local_connectivity(FuzzyGraph graph) {
  for (std::size_t i = 0; i < graph.count; ++i) {
    rescale_row(std::span(graph.strength).subspan(graph.begin[i], graph.begin[i + 1] - graph.begin[i]));
  }
  return symmetric_union(graph);
}

FuzzyGraph merged_graphs(const FuzzyGraph& one, const FuzzyGraph& other, Combination combination,
                         const Missing& missing) {
  FuzzyGraph graph = {.count = one.count, .begin = {0}};
  for (std::size_t i = 0; i < one.count; ++i) {
    std::size_t a = one.begin[i], b = other.begin[i];
    const std::size_t a_end = one.begin[i + 1], b_end = other.begin[i + 1];
    while (a < a_end || b < b_end) {
      const bool from_a = b == b_end || (a < a_end && one.neighbour[a] <= other.neighbour[b]);
      const bool from_b = a == a_end || (b < b_end && other.neighbour[b] <= one.neighbour[a]);
      const double x = from_a ? static_cast<double>(one.strength[a]) : missing.one;
      const double y = from_b ? static_cast<double>(other.strength[b]) : missing.other;
      graph.neighbour.push_back(from_a ? one.neighbour[a] : other.neighbour[b]);
      graph.strength.push_back(together(x, y, combination));
      a += from_a;
      b += from_b;
    }
    graph.begin.push_back(graph.neighbour.size());
  }
  return graph;
}

FuzzyGraph combine_graphs(const FuzzyGraph& one, const FuzzyGraph& other, Combination combination) {
  if (one.count != other.count) {
    throw Error(ErrorCode::kBadInput, "graphs of " + std::to_string(one.count) + " and of " +
                                          std::to_string(other.count) + " points cannot be combined");
  }
  constexpr double kNoLimit = std::numeric_limits<double>::infinity();
  // Of an intersection, umap-learn limits the second graph's.
  const Missing missing = {.one = absent(one, kNoLimit),
                           .other = absent(other, combination == Combination::kIntersection ? 1e-4 : kNoLimit)};
  return restore_local_connectivity(merged_graphs(one, other, combination, missing));
}

}  // namespace actforge
