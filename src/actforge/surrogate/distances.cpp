#include "actforge/surrogate/distances.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>

#include "actforge/base/parallel.h"
#include "actforge/surrogate/distance_kernels.h"

namespace actforge {
namespace {

// Rows of a tile. The stretches of both sides that the kernel works on, 2 * 48 * 4 KiB, stay in the second cache.
constexpr std::size_t kTile = 48;

float as_float(double value) {
  return static_cast<float>(std::min(value, static_cast<double>(std::numeric_limits<float>::max())));
}

// Squares of floats leave the range of float beyond 1e19 and below 1e-22; there the sum is made again in double.
bool square_sum_is_safe(double sum) { return sum > 1e-28 && sum < 1e38; }

double plain_squares(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    const double difference = static_cast<double>(a[k]) - static_cast<double>(b[k]);
    sum += difference * difference;
  }
  return sum;
}

bool same_bytes(std::span<const float> a, std::span<const float> b) {
  return a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

double length(std::span<const float> row) {
  double sum = 0;
  for (const float x : row) sum += static_cast<double>(x) * static_cast<double>(x);
  return std::sqrt(sum);
}

// Rows of length one. For those |x-y|^2 = 2 - 2 x.y, so that the cosine distance is half the squared Euclidean one:
// without the cancellation of 1 - x.y, and by the same kernel. A zero vector stays.
Points unit_rows(PointsView points) {
  Points result(points.count, points.width);
  for (std::size_t i = 0; i < points.count; ++i) {
    const double norm = length(points.row(i));
    if (norm == 0) continue;
    const std::span<const float> from = points.row(i);
    const std::span<float> to = result.row(i);
    for (std::size_t k = 0; k < from.size(); ++k) to[k] = static_cast<float>(static_cast<double>(from[k]) / norm);
  }
  return result;
}

bool is_zero(std::span<const float> row) {
  return std::all_of(row.begin(), row.end(), [](float x) { return x == 0; });
}

// What the kernels work on: the points, or for the cosine their directions.
struct Prepared {
  PointsView view;
  Points units;
  std::vector<bool> zero;

  Prepared(PointsView points, Metric metric) : view(points) {
    if (metric != Metric::kCosine) return;
    units = unit_rows(points);
    view = units;
    for (std::size_t i = 0; i < points.count; ++i) zero.push_back(is_zero(points.row(i)));
  }
};

float finished(double sum, const Prepared& from, std::size_t i, const Prepared& to, std::size_t j, Metric metric) {
  if (metric == Metric::kManhattan) return as_float(sum);
  if (metric == Metric::kCosine) {
    if (from.zero[i] || to.zero[j]) return from.zero[i] && to.zero[j] ? 0.0F : 1.0F;
    return as_float(sum / 2);
  }
  if (!square_sum_is_safe(sum)) {
    const std::span<const float> a = from.view.row(i), b = to.view.row(j);
    sum = same_bytes(a, b) ? 0 : plain_squares(a, b);
  }
  return as_float(std::sqrt(sum));
}

// One tile of the matrix, and with `mirror` its reflection.
void fill_tile(const Prepared& from, std::size_t i0, const Prepared& to, std::size_t j0, Metric metric, bool mirror,
               std::vector<float>& matrix) {
  const std::size_t rows = std::min(kTile, from.view.count - i0), columns = std::min(kTile, to.view.count - j0);
  double sums[kTile * kTile] = {};
  const PairBlock block = {.a = from.view.values + i0 * from.view.width,
                           .a_rows = rows,
                           .b = to.view.values + j0 * to.view.width,
                           .b_rows = columns,
                           .width = from.view.width,
                           .sums = sums,
                           .stride = kTile};
  if (metric == Metric::kManhattan) {
    add_absolute_differences(block);
  } else {
    add_squared_differences(block);
  }
  const std::size_t n = to.view.count;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      const std::size_t row = i0 + i, column = j0 + j;
      if (mirror && column <= row) {
        if (column == row) matrix[row * n + row] = 0;
        continue;
      }
      const float value = finished(sums[i * kTile + j], from, row, to, column, metric);
      matrix[row * n + column] = value;
      if (mirror) matrix[column * n + row] = value;
    }
  }
}

std::size_t tiles(std::size_t count) { return (count + kTile - 1) / kTile; }

// Tiles are handed out one by one, as some threads are slower than others; no tile depends on which thread makes it.
template <class Tile>
void for_all_tiles(const RunContext& run, std::size_t count, Tile tile) {
  std::atomic<std::size_t> next{0};
  const std::size_t threads = std::min(thread_count(run.threads), std::max<std::size_t>(1, count));
  parallel_for(threads, threads, [&](std::size_t, std::size_t, std::size_t) {
    for (std::size_t i = next++; i < count; i = next++) {
      run.check();
      tile(i);
    }
  });
}

}  // namespace

double distance(std::span<const float> a, std::span<const float> b, Metric metric) {
  if (metric == Metric::kEuclidean) return std::sqrt(plain_squares(a, b));
  double sum = 0;
  if (metric == Metric::kManhattan) {
    for (std::size_t k = 0; k < a.size(); ++k) sum += std::fabs(static_cast<double>(a[k]) - static_cast<double>(b[k]));
    return sum;
  }
  const double norm_a = length(a), norm_b = length(b);
  if (norm_a == 0 || norm_b == 0) return norm_a == norm_b ? 0 : 1;
  for (std::size_t k = 0; k < a.size(); ++k) {
    const double difference = static_cast<double>(a[k]) / norm_a - static_cast<double>(b[k]) / norm_b;
    sum += difference * difference;
  }
  return sum / 2;
}

std::vector<float> distances(PointsView from, PointsView to, Metric metric, const RunContext& run) {
  check_same_width(from, to);
  std::vector<float> matrix(from.count * to.count);
  const Prepared a(from, metric), b(to, metric);
  const std::size_t across = tiles(to.count);
  for_all_tiles(run, tiles(from.count) * across, [&](std::size_t tile) {
    fill_tile(a, tile / across * kTile, b, tile % across * kTile, metric, false, matrix);
  });
  return matrix;
}

std::vector<float> distances_among(PointsView points, Metric metric, const RunContext& run) {
  std::vector<float> matrix(points.count * points.count);
  const Prepared side(points, metric);
  std::vector<std::pair<std::size_t, std::size_t>> upper;
  for (std::size_t i = 0; i < points.count; i += kTile) {
    for (std::size_t j = i; j < points.count; j += kTile) upper.emplace_back(i, j);
  }
  for_all_tiles(run, upper.size(), [&](std::size_t tile) {
    fill_tile(side, upper[tile].first, side, upper[tile].second, metric, true, matrix);
  });
  return matrix;
}

}  // namespace actforge
