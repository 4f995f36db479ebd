#include "actforge/surrogate/random_projection.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>

#include "actforge/base/parallel.h"
#include "actforge/base/random.h"

namespace actforge {
namespace {

using RowMajor = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Map = Eigen::Map<const RowMajor>;

double length(std::span<const float> row) {
  double sum = 0;
  for (const float x : row) sum += static_cast<double>(x) * static_cast<double>(x);
  return std::sqrt(sum);
}

// The same in double, for a row that left the range of float on the way.
void project_large(std::span<const float> row, const std::vector<float>& weights, std::span<float> result) {
  constexpr auto kMost = static_cast<double>(std::numeric_limits<float>::max());
  for (std::size_t j = 0; j < result.size(); ++j) {
    double sum = 0;
    for (std::size_t k = 0; k < row.size(); ++k) {
      sum += static_cast<double>(row[k]) * static_cast<double>(weights[k * result.size() + j]);
    }
    result[j] = static_cast<float>(std::clamp(sum, -kMost, kMost));
  }
}

}  // namespace

RandomProjection::RandomProjection(std::size_t from, std::size_t to, std::uint64_t seed) : from_(from), to_(to) {
  if (from == to) return;
  Random random(seed, 0, "random projection");
  weights_.resize(from * to);
  const double deviation = 1 / std::sqrt(static_cast<double>(to));
  for (float& weight : weights_) weight = static_cast<float>(deviation * random.normal());
}

Points RandomProjection::apply(PointsView points, Scale scale, std::size_t threads) const {
  Points result(points.count, to_);
  if (weights_.empty()) {
    std::copy_n(points.values, points.count * points.width, result.values.begin());
  } else {
    const Map weights(weights_.data(), static_cast<Eigen::Index>(from_), static_cast<Eigen::Index>(to_));
    // Blocks of fixed size, so that Eigen adds in the same order on any number of threads.
    constexpr std::size_t kBlock = 64;
    const std::size_t blocks = (points.count + kBlock - 1) / kBlock;
    parallel_for(thread_count(threads), blocks, [&](std::size_t begin, std::size_t end, std::size_t) {
      for (std::size_t block = begin; block < end; ++block) {
        const std::size_t first = block * kBlock;
        const auto rows = static_cast<Eigen::Index>(std::min(kBlock, points.count - first));
        const Map from(points.values + first * from_, rows, static_cast<Eigen::Index>(from_));
        Eigen::Map<RowMajor>(result.values.data() + first * to_, rows, static_cast<Eigen::Index>(to_)).noalias() =
            from * weights;
      }
    });
  }
  for (std::size_t i = 0; i < points.count; ++i) {
    const std::span<float> row = result.row(i);
    const bool finite = std::all_of(row.begin(), row.end(), [](float x) { return std::isfinite(x); });
    if (!finite) project_large(points.row(i), weights_, row);
    const double norm = scale == kUnitRows ? length(points.row(i)) : 1;
    if (norm == 0 || norm == 1) continue;
    for (float& x : row) x = static_cast<float>(static_cast<double>(x) / norm);
  }
  return result;
}

}  // namespace actforge
