#pragma once

#include <span>
#include <vector>

#include "actforge/expr/fit/curve_samples.h"

namespace actforge {

// A continuous function of straight pieces: between neighbouring points (x_i, y_i) a line, and beyond the first and the
// last of them the outer pieces go on. Two points at least, x ascending. All but the outer two are its bends.
struct LinearPieces {
  std::vector<double> x = {};
  std::vector<double> y = {};

  std::size_t pieces() const { return x.size() - 1; }
  double slope(std::size_t piece) const { return (y[piece + 1] - y[piece]) / (x[piece + 1] - x[piece]); }
  double value(double at) const;
};

// Which outer pieces have to be level.
struct LevelEnds {
  bool left = false;
  bool right = false;

  bool operator==(const LevelEnds&) const = default;
};

// The best values for given bends, by weighted least squares. Built once for a curve; then a fit takes a time in
// proportion to the bends, however many samples there are, so that very many places of the bends can be tried. It
// keeps room for the equations: one thread at a time.
class PieceFitter {
 public:
  explicit PieceFitter(const CurveSamples& samples);

  // Of the best values: the weighted mean of squared errors, to about 1e-14 of the mean of y²; infinite where the
  // samples do not determine the values well (a bend outside of the samples, or three in one gap between them).
  double error(std::span<const double> bends, LevelEnds level = {}) const;
  // The values themselves. Throws Error (kFailed) where they are not determined.
  LinearPieces fit(std::span<const double> bends, LevelEnds level = {}) const;

 private:
  // Σ w, Σ wu, Σ wu², Σ wv, Σ wuv over the samples before the i-th, with u and v the x and y from their means.
  struct Sums {
    double w = 0, u = 0, uu = 0, v = 0, uv = 0;
  };
  struct System {
    std::vector<double> node, diagonal, beside, right, value;
    double explained = 0;  // Σ w·v·f of the solution f
  };
  // Fills in system_; whether there is one solution.
  bool solve(std::span<const double> bends, LevelEnds level) const;

  std::vector<double> x_;
  std::vector<Sums> before_;
  mutable System system_;
  double x_mean_ = 0, y_mean_ = 0, least_weight_ = 0, square_ = 0;  // square_: Σ w·v²
};

}  // namespace actforge
