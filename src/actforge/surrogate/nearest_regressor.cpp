#include <algorithm>

#include "actforge/surrogate/distances.h"
#include "actforge/surrogate/regressor.h"

namespace actforge {
namespace {

constexpr std::size_t kNeighbours = 3;

struct Near {
  double distance;
  std::size_t index;
  bool operator<(const Near& other) const {
    return distance != other.distance ? distance < other.distance : index < other.index;
  }
};

// scikit-learn's KNeighborsRegressor(3, weights="distance"): where a neighbour is at the same place, the mean of those
// that are, else the mean weighted by 1/distance. A value that is the mean of n measurements counts n times.
class NearestRegressor : public Regressor {
 public:
  void learn(PointsView points, std::span<const double> values, std::span<const double> runs) override {
    points_ = Points(points.count, points.width);
    std::copy_n(points.values, points.count * points.width, points_.values.begin());
    values_.assign(values.begin(), values.end());
    runs_.assign(runs.begin(), runs.end());
  }

  std::vector<Belief> believe(PointsView points) const override {
    check_predicted(points, points_.width);
    std::vector<Belief> result;
    std::vector<Near> near(points_.count);
    const std::size_t k = std::min(kNeighbours, points_.count);
    for (std::size_t i = 0; i < points.count; ++i) {
      for (std::size_t j = 0; j < points_.count; ++j) {
        near[j] = {distance(points.row(i), points_.row(j), Metric::kEuclidean), j};
      }
      std::partial_sort(near.begin(), near.begin() + static_cast<std::ptrdiff_t>(k), near.end());
      result.push_back({.mean = mean(std::span(near).first(k))});
    }
    return result;
  }

 private:
  double mean(std::span<const Near> near) const {
    const bool exact = near[0].distance == 0;
    double sum = 0, total = 0;
    for (const Near& one : near) {
      const double weight = runs_[one.index] * (exact ? (one.distance == 0 ? 1 : 0) : 1 / one.distance);
      sum += weight * values_[one.index];
      total += weight;
    }
    return sum / total;
  }

  Points points_;
  std::vector<double> values_, runs_;
};

}  // namespace

RegressorRow nearest_regressor() {
  return {.name = "knn",
          .summary = "the mean of the three nearest points, weighted by the inverse of their distances",
          .make = [](const RunContext&) -> std::unique_ptr<Regressor> { return std::make_unique<NearestRegressor>(); },
          .knows_noise = true};
}

}  // namespace actforge
