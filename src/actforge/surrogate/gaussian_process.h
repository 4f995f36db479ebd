#pragma once

#include <vector>

#include "actforge/surrogate/regressor.h"

namespace actforge {

// A Gaussian process with mean zero and covariance exp(-|x-y|^2/2): the kernel of scikit-learn's
// GaussianProcessRegressor(), 1.0 * RBF(1.0), with nothing to be fitted. Throws as Regressor does.
class GaussianProcess {
 public:
  void fit(PointsView points, std::span<const double> values);
  std::vector<Belief> believe(PointsView points) const;
  // Of the measurements: 1e-10, or as much more as points that are (nearly) the same need.
  double noise() const { return noise_; }

 private:
  Points points_;
  std::vector<double> factor_;   // Cholesky's, row after row
  std::vector<double> weights_;  // K^-1 y
  double noise_ = 0;
};

}  // namespace actforge
