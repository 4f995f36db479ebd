#pragma once

#include <cstdint>
#include <span>

#include "actforge/expr/language/expr.h"

namespace actforge {

// How an activation function is made from samples of a curve.
struct PiecewiseOptions {
  // Places where it may bend: more follow the curve more closely, and take more time to compute.
  std::uint64_t knots = 16;
  // Root of the mean squared error over the samples below which no knot is added.
  double tolerance = 1e-3;
  // Rounds the bends off, so that the slope has no jumps.
  bool smooth = false;
  // How tight smooth bends are (hinges.h); 0: as smooth as it can be without being much farther from the samples.
  double sharpness = 0;
};
inline constexpr std::uint64_t kMostKnots = 64;

struct PiecewiseFit {
  Expr expr;
  std::size_t knots = 0;  // as many as it took
  double sharpness = 0;   // of smooth bends
  // Of the expression as it is written, rounded numbers and all, over the samples: root of the mean squared error, and
  // the largest one.
  double rms_error = 0;
  double max_error = 0;
};

// An ordinary expression that goes through the samples as well as a few straight pieces can, and on in straight lines
// beyond them. Samples may come in any order and share an x; each counts alike, so that the fit is closest where they
// are dense. Throws Error: kBadInput for samples that make no curve (curve_samples.h), kUsage for options that make no
// sense.
PiecewiseFit fit_piecewise(std::span<const double> x, std::span<const double> y, const PiecewiseOptions& options = {});

}  // namespace actforge
