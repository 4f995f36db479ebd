#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "actforge/surrogate/regressor.h"

namespace actforge {

// Squared Euclidean distances between points, for each block of features apart: rows × columns numbers, row after row.
struct BlockDistances {
  std::size_t rows = 0, columns = 0;
  std::vector<std::vector<double>> blocks = {};

  std::span<const double> row(std::size_t block, std::size_t i) const {
    return std::span(blocks[block]).subspan(i * columns, columns);
  }
};

// A Gaussian process that knows how noisy its measurements are, of points with several kinds of features: outputs and
// structure of a function, say. The mean of n_i measurements at x_i is
//   y_i = m + g(x_i) + e_i,   g ~ GP(0, a² r(d)),   e_i ~ N(0, a² v/n_i),   d² = Σ_b |x_b - x'_b|² / l_b²
// with a length l_b for each block of features, and Matérn's correlation r(d) = (1 + √5 d + 5/3 d²) exp(-√5 d), twice
// differentiable, which fits rough scores better than a Gaussian. With C = R + v diag(1/n_i), the most likely m and a²
// for given l and v are
//   m = 1ᵀC⁻¹y / 1ᵀC⁻¹1,   a² = (y - m)ᵀ C⁻¹ (y - m) / n,
// which leaves -n/2 log a² - 1/2 log|C| to be maximised over the lengths and the noise v, one after the other, in steps
// that get finer. Few measurements say little about lengths: each is taken to be log-normal around 1.35 times the
// median distance in its block, within a factor of e, before anything was measured.
//
// With C = L Lᵀ, beliefs at x with correlations k to the points are
//   mean m + zᵀw,   variance a² (1 - zᵀz + (1 - uᵀz)² / uᵀu),   z = L⁻¹k, w = L⁻¹(y - m), u = L⁻¹1,
// those of g + m, without the noise of a further measurement; the last term is for m, which is estimated as well.
class BlockProcess {
 public:
  struct Settings {
    std::vector<double> lengths = {};  // of each block
    double noise = 0.1;                // v
  };

  // Finds lengths and noise too. `between` are the points' distances from each other. Throws Error (kBadInput) as
  // Regressor::fit() does.
  void fit(const BlockDistances& between, std::span<const double> values, std::span<const double> runs);
  void fit(const BlockDistances& between, std::span<const double> values, std::span<const double> runs,
           const Settings& settings);
  // What fit() would take; costs fifty Cholesky factors.
  static Settings find_settings(const BlockDistances& between, std::span<const double> values,
                                std::span<const double> runs);

  // `to`: from each of its points (rows) to others (columns), for which beliefs are wanted.
  std::vector<Belief> believe(const BlockDistances& to) const;

  const Settings& settings() const { return settings_; }
  double mean() const { return mean_; }
  // Standard deviations: of g, and of a single measurement.
  double amplitude() const;
  double noise() const;
  // But for a constant. -inf where C has no Cholesky factor.
  double log_likelihood() const { return log_likelihood_; }

  // Parts of the formulas, for those who keep z of many places while measurements come.
  std::size_t size() const { return projected_.size(); }
  double lower(std::size_t i, std::size_t j) const { return lower_[i * size() + j]; }  // L
  std::span<const double> projected() const { return projected_; }                     // w
  std::span<const double> ones() const { return ones_; }                               // u
  Belief belief(double z_w, double z_z, double z_u) const;                             // by these products
  // r, of a scaled squared distance.
  static double correlation(double squared);

 private:
  Settings settings_;
  std::vector<double> lower_, projected_, ones_;
  double mean_ = 0, variance_ = 0, log_likelihood_ = 0, ones_squared_ = 1;
};

// Distances between all rows of two sets of points, as a single block.
BlockDistances block_distances(PointsView a, PointsView b);

}  // namespace actforge
