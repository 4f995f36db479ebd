#include "actforge/surrogate/quality.h"

#include <algorithm>
#include <numeric>
#include <string>

#include "actforge/base/error.h"
#include "actforge/base/parallel.h"

namespace actforge {
namespace {

void check_matrix(std::span<const float> distances, PointsView embedding) {
  if (distances.size() == embedding.count * embedding.count) return;
  throw Error(ErrorCode::kBadInput, std::to_string(distances.size()) + " distances do not fit " +
                                        std::to_string(embedding.count) + " points");
}

NeighbourLists embedded_neighbours(PointsView embedding, std::size_t size, const RunContext& run) {
  return neighbours_among(embedding, {.size = size + 1, .exact_limit = embedding.count, .run = run});
}

}  // namespace

double trustworthiness(std::span<const float> distances, PointsView embedding, std::size_t size,
                       const RunContext& run) {
  check_matrix(distances, embedding);
  const std::size_t n = embedding.count;
  if (2 * size >= n) {
    throw Error(ErrorCode::kBadInput,
                "trustworthiness of " + std::to_string(size) + " neighbours among " + std::to_string(n) + " points");
  }
  const NeighbourLists near = embedded_neighbours(embedding, size, run);
  std::vector<double> penalty(n);  // of each point; whole numbers, so that any order of adding gives the same
  parallel_for(thread_count(run.threads), n, [&](std::size_t begin, std::size_t end, std::size_t) {
    std::vector<std::uint32_t> order(n);
    std::vector<std::size_t> rank(n);
    for (std::size_t i = begin; i < end; ++i) {
      run.check();
      const std::span<const float> row = distances.subspan(i * n, n);
      std::iota(order.begin(), order.end(), 0u);
      std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        // The point itself has rank 0.
        if ((a == i) != (b == i)) return a == i;
        return row[a] != row[b] ? row[a] < row[b] : a < b;
      });
      for (std::size_t r = 0; r < n; ++r) rank[order[r]] = r;
      for (const std::uint32_t j : near.indices(i)) {
        if (rank[j] > size) penalty[i] += static_cast<double>(rank[j] - size);
      }
    }
  });
  const auto points = static_cast<double>(n), k = static_cast<double>(size);
  return 1 - 2 / (points * k * (2 * points - 3 * k - 1)) * std::accumulate(penalty.begin(), penalty.end(), 0.0);
}

double neighbour_preservation(std::span<const float> distances, PointsView embedding, std::size_t size,
                              const RunContext& run) {
  check_matrix(distances, embedding);
  if (embedding.count < 2 || size == 0) return 1;
  const NeighbourLists near = embedded_neighbours(embedding, size, run);
  const NeighbourLists truth = neighbours_in_matrix(distances, {.size = size + 1, .run = run});
  std::size_t kept = 0;
  for (std::size_t i = 0; i < embedding.count; ++i) {
    for (const std::uint32_t j : near.indices(i).subspan(1)) {
      const std::span<const std::uint32_t> row = truth.indices(i).subspan(1);
      kept += std::find(row.begin(), row.end(), j) != row.end();
    }
  }
  return static_cast<double>(kept) / static_cast<double>(embedding.count * (near.size - 1));
}

}  // namespace actforge
