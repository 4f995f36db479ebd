#pragma once

#include <vector>

#include "actforge/surrogate/regressor.h"

namespace actforge {

// A Gaussian process that knows how noisy its measurements are. The mean of n_i measurements at x_i is
//   y_i = m + g(x_i) + e_i,   g ~ GP(0, a² r(|x - x'|/l)),   e_i ~ N(0, a² v/n_i),
// with Matérn's correlation r(d) = (1 + √5 d + 5/3 d²) exp(-√5 d), twice differentiable, which fits rough scores better
// than a Gaussian. With C = R + v diag(1/n_i), the most likely m and a² for given l and v are
//   m = 1ᵀC⁻¹y / 1ᵀC⁻¹1,   a² = (y - m)ᵀ C⁻¹ (y - m) / n,
// which leaves -n/2 log a² - 1/2 log|C| to be maximised over the length l and the noise v: on a grid, then on one twice
// as fine around its best place. Beliefs are those of g + m, without the noise of a further measurement; their variance
// has a term for m, which is estimated as well.
class NoisyProcess {
 public:
  struct Settings {
    double length = 1, noise = 1e-2;  // l and v
  };

  // Finds l and v too. Throws Error (kBadInput) as Regressor::fit() does.
  void fit(PointsView points, std::span<const double> values, std::span<const double> runs);
  void fit(PointsView points, std::span<const double> values, std::span<const double> runs, const Settings& settings);
  std::vector<Belief> believe(PointsView points) const;

  const Settings& settings() const { return settings_; }
  double mean() const { return mean_; }
  // Standard deviations: of g, and of a single measurement.
  double amplitude() const;
  double noise() const;
  // But for a constant. -inf where C has no Cholesky factor.
  double log_likelihood() const { return log_likelihood_; }

 private:
  Points points_;
  Settings settings_;
  std::vector<double> lower_;           // Cholesky's factor of C, column after column
  std::vector<double> weights_, ones_;  // C⁻¹(y - m) and C⁻¹1
  double mean_ = 0, variance_ = 0, log_likelihood_ = 0;
};

}  // namespace actforge
