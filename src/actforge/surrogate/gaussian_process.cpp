#include "actforge/surrogate/gaussian_process.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "actforge/base/error.h"
#include "actforge/surrogate/distances.h"
#include "actforge/surrogate/regressor.h"

namespace actforge {
namespace {

using Eigen::Index;
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr double kNoise = 1e-10;

Matrix covariances(PointsView a, PointsView b) {
  Matrix result(static_cast<Index>(a.count), static_cast<Index>(b.count));
  for (std::size_t i = 0; i < a.count; ++i) {
    for (std::size_t j = 0; j < b.count; ++j) {
      const double d = distance(a.row(i), b.row(j), Metric::kEuclidean);
      result(static_cast<Index>(i), static_cast<Index>(j)) = std::exp(-d * d / 2);
    }
  }
  return result;
}

class GaussianRegressor : public Regressor {
 public:
  void learn(PointsView points, std::span<const double> values, std::span<const double> /*runs*/) override {
    process_.fit(points, values);
  }
  std::vector<Belief> believe(PointsView points) const override { return process_.believe(points); }

 private:
  GaussianProcess process_;
};

}  // namespace

// scikit-learn gives up where rounding leaves the matrix without a Cholesky factor, as points at one place do. Here the
// noise grows tenfold until there is one: such points then share the mean of their values.
void GaussianProcess::fit(PointsView points, std::span<const double> values) {
  if (points.count == 0 || points.count != values.size()) {
    throw Error(ErrorCode::kBadInput, "a Gaussian process needs points, and a value for each");
  }
  check_finite(points, "points to learn from");
  const Matrix covariance = covariances(points, points);
  Eigen::LLT<Eigen::MatrixXd> factor;
  for (noise_ = kNoise; noise_ < 1; noise_ *= 10) {
    factor.compute(covariance + noise_ * Matrix::Identity(covariance.rows(), covariance.cols()));
    if (factor.info() == Eigen::Success) break;
  }
  const Eigen::Map<const Eigen::VectorXd> y(values.data(), static_cast<Index>(values.size()));
  const Eigen::VectorXd weights = factor.solve(y);
  if (!weights.allFinite()) throw Error(ErrorCode::kBadInput, "the Gaussian process has no solution");
  const Matrix lower = factor.matrixL();
  points_ = Points(points.count, points.width);
  std::copy_n(points.values, points.count * points.width, points_.values.begin());
  factor_.assign(lower.data(), lower.data() + lower.size());
  weights_.assign(weights.data(), weights.data() + weights.size());
}

std::vector<Belief> GaussianProcess::believe(PointsView points) const {
  check_predicted(points, points_.width);
  const auto n = static_cast<Index>(points_.count);
  const Eigen::Map<const Matrix> lower(factor_.data(), n, n);
  const Eigen::Map<const Eigen::VectorXd> weights(weights_.data(), n);
  std::vector<Belief> result;
  for (std::size_t i = 0; i < points.count; ++i) {
    const Eigen::VectorXd covariance = covariances(points.rows(i, 1), points_).row(0);
    const Eigen::VectorXd explained = lower.triangularView<Eigen::Lower>().solve(covariance);
    result.push_back(
        {.mean = covariance.dot(weights), .deviation = std::sqrt(std::max(0.0, 1 - explained.squaredNorm()))});
  }
  return result;
}

RegressorRow gaussian_regressor() {
  return {.name = "gp",
          .summary = "the mean of a Gaussian process with a Gaussian kernel of length 1",
          .make = [](const RunContext&) -> std::unique_ptr<Regressor> { return std::make_unique<GaussianRegressor>(); },
          .has_deviation = true};
}

}  // namespace actforge
