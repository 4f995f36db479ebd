#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "actforge/surrogate/regressor.h"

namespace actforge {

// The Gaussian process of block_process.h with given settings, one measurement after the other, and beliefs at places
// that stay the same: what a search asks for after each trial. With C = L Lᵀ a further measurement adds a row to L,
//   l = L⁻¹c,   the diagonal √(1 + v - lᵀl),
// and to Z = L⁻¹K, where K has the correlations of measurements (rows) with places (columns), the row
//   (k - lᵀZ) / diagonal.
// No earlier row changes. Values may: what counts as a failure's score depends on later ones.
//
// Each measurement is one evaluation; several of a function are so many measurements at the same point.
class GrowingProcess {
 public:
  // v, the noise of one measurement in units of the process's variance.
  explicit GrowingProcess(double noise) : noise_(noise) {}

  std::size_t size() const { return ones_.size(); }         // measurements
  std::size_t places() const { return explained_.size(); }  // where there are beliefs

  // `to_measurements`: correlations of the new one with all earlier ones; `to_places`: with all places.
  void add_measurement(std::span<const double> to_measurements, std::span<const double> to_places);
  // A further place, by its correlations with all measurements. It has the next number.
  void add_place(std::span<const double> to_measurements);

  // Of the measurements, in their order; the rest, if they are fewer, are pending: they have values as expected, which
  // changes no mean, and makes what is near them less uncertain.
  void set_values(std::span<const double> values);
  // There must be values.
  Belief belief(std::size_t place) const;
  // At a point that is no place.
  Belief belief_at(std::span<const double> to_measurements) const;

  double mean() const { return mean_; }
  // Standard deviation of the process.
  double amplitude() const;

 private:
  std::vector<double> solve(std::span<const double> correlations) const;  // L⁻¹
  Belief belief_of(double expected, double explained, double ones_part) const;

  double noise_ = 0;
  std::vector<std::vector<double>> lower_;     // L, row after row
  std::vector<std::vector<double>> z_;         // Z, row after row
  std::vector<double> ones_;                   // u = L⁻¹1
  double ones_squared_ = 0;                    // uᵀu
  std::vector<double> explained_, ones_part_;  // by place: zᵀz, uᵀz
  std::vector<double> expected_;               // by place: zᵀw
  std::vector<double> projected_;              // w = L⁻¹(y - m), of those with values
  double mean_ = 0, variance_ = 0;
};

}  // namespace actforge
