#include "actforge/surrogate/components.h"

#include <algorithm>

namespace actforge {

std::vector<std::vector<std::uint32_t>> connected_components(const FuzzyGraph& graph) {
  std::vector<std::vector<std::uint32_t>> parts;
  std::vector<bool> seen(graph.count);
  for (std::size_t start = 0; start < graph.count; ++start) {
    if (seen[start]) continue;
    seen[start] = true;
    std::vector<std::uint32_t> part = {static_cast<std::uint32_t>(start)};
    for (std::size_t next = 0; next < part.size(); ++next) {
      for (const std::uint32_t other : graph.neighbours(part[next])) {
        if (seen[other]) continue;
        seen[other] = true;
        part.push_back(other);
      }
    }
    std::sort(part.begin(), part.end());
    parts.push_back(std::move(part));
  }
  std::stable_sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.size() > b.size(); });
  return parts;
}

FuzzyGraph subgraph(const FuzzyGraph& graph, const std::vector<std::uint32_t>& points) {
  if (points.size() == graph.count) return graph;
  FuzzyGraph result = {.count = points.size(), .begin = {0}};
  for (const std::uint32_t point : points) {
    const std::span<const std::uint32_t> neighbours = graph.neighbours(point);
    const std::span<const float> strengths = graph.strengths(point);
    for (std::size_t e = 0; e < neighbours.size(); ++e) {
      const auto at = std::lower_bound(points.begin(), points.end(), neighbours[e]);
      if (at == points.end() || *at != neighbours[e]) continue;
      result.neighbour.push_back(static_cast<std::uint32_t>(at - points.begin()));
      result.strength.push_back(strengths[e]);
    }
    result.begin.push_back(result.neighbour.size());
  }
  return result;
}

}  // namespace actforge
