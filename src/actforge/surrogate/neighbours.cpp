#include "actforge/surrogate/neighbours.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "actforge/base/error.h"
#include "actforge/base/parallel.h"
#include "actforge/surrogate/distances.h"
#include "actforge/surrogate/hnsw_index.h"

namespace actforge {
namespace {

constexpr std::size_t kNobody = ~std::size_t{0};

// Up to this many points all distances are kept at once (a quarter of a gigabyte), so that each is measured once.
constexpr std::size_t kWholeMatrix = 8192;
// Beyond it, this many rows at a time.
constexpr std::size_t kStrip = 512;

NeighbourLists empty_lists(std::size_t count, std::size_t size) {
  return {.count = count,
          .size = size,
          .index = std::vector<std::uint32_t>(count * size),
          .distance = std::vector<float>(count * size)};
}

// The nearest of one row of distances. `self` comes first; a candidate is compared with the last of the list, which
// it seldom beats, so that a row costs little more than reading it.
void select_nearest(std::span<const float> row, std::size_t self, std::span<std::uint32_t> index,
                    std::span<float> distance) {
  std::size_t filled = 0;
  if (self != kNobody && !index.empty()) {
    index[0] = static_cast<std::uint32_t>(self);
    distance[0] = 0;
    filled = 1;
  }
  const std::size_t first = filled;
  for (std::size_t j = 0; j < row.size(); ++j) {
    if (j == self || (filled == index.size() && (filled == first || row[j] >= distance[filled - 1]))) continue;
    std::size_t place = filled < index.size() ? filled++ : filled - 1;
    for (; place > first && distance[place - 1] > row[j]; --place) {
      distance[place] = distance[place - 1];
      index[place] = index[place - 1];
    }
    distance[place] = row[j];
    index[place] = static_cast<std::uint32_t>(j);
  }
}

// `rows`: distances of points first, first+1, ... to all `width` points.
void select_rows(std::span<const float> rows, std::size_t width, std::size_t first, bool self, const RunContext& run,
                 NeighbourLists& lists) {
  const std::size_t count = width == 0 ? 0 : rows.size() / width;
  parallel_for(thread_count(run.threads), count, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i) {
      run.check();
      const std::size_t at = (first + i) * lists.size;
      select_nearest(rows.subspan(i * width, width), self ? first + i : kNobody,
                     std::span(lists.index).subspan(at, lists.size), std::span(lists.distance).subspan(at, lists.size));
    }
  });
}

NeighbourLists exact_neighbours(PointsView points, const NeighbourOptions& options) {
  NeighbourLists lists = empty_lists(points.count, std::min(options.size, points.count));
  if (points.count <= kWholeMatrix) {
    const std::vector<float> matrix = distances_among(points, options.metric, options.run);
    select_rows(matrix, points.count, 0, true, options.run, lists);
    return lists;
  }
  for (std::size_t first = 0; first < points.count; first += kStrip) {
    const PointsView rows = points.rows(first, std::min(kStrip, points.count - first));
    select_rows(distances(rows, points, options.metric, options.run), points.count, first, true, options.run, lists);
  }
  return lists;
}

}  // namespace

NeighbourLists neighbours_among(PointsView points, const NeighbourOptions& options) {
  check_finite(points, "features");
  if (points.count <= options.exact_limit) return exact_neighbours(points, options);
  return HnswIndex(points, options).among();
}

NeighbourLists neighbours_of(PointsView new_points, PointsView points, const NeighbourOptions& options) {
  check_finite(new_points, "features of new points");
  NeighbourLists lists = empty_lists(new_points.count, std::min(options.size, points.count));
  for (std::size_t first = 0; first < new_points.count; first += kStrip) {
    const PointsView rows = new_points.rows(first, std::min(kStrip, new_points.count - first));
    select_rows(distances(rows, points, options.metric, options.run), points.count, first, false, options.run, lists);
  }
  return lists;
}

NeighbourLists neighbours_in_matrix(std::span<const float> distances, const NeighbourOptions& options) {
  const auto count = static_cast<std::size_t>(std::llround(std::sqrt(static_cast<double>(distances.size()))));
  if (count * count != distances.size()) {
    throw Error(ErrorCode::kBadInput, std::to_string(distances.size()) + " distances are not a square matrix");
  }
  for (std::size_t i = 0; i < distances.size(); ++i) {
    if (std::isfinite(distances[i]) && distances[i] >= 0) continue;
    throw Error(ErrorCode::kBadInput, "distances: row " + std::to_string(i / count) + " has " +
                                          std::to_string(distances[i]) + " in column " + std::to_string(i % count));
  }
  NeighbourLists lists = empty_lists(count, std::min(options.size, count));
  select_rows(distances, count, 0, true, options.run, lists);
  return lists;
}

}  // namespace actforge
