#pragma once

#include <cstddef>
#include <vector>

#include "actforge/expr/fit/linear_pieces.h"

namespace actforge {

struct BendOptions {
  std::size_t most = 16;
  double tolerance = 1e-3;  // of the root of the mean squared error: no bend is added below it
};

// Where a curve should bend, ascending, and which of its ends are better level.
struct Bends {
  std::vector<double> x = {};
  LevelEnds level = {};
};

// Bends are added one by one where they help most, each time moving all of them to where they help more, and in the end
// those that are not needed go. The best set of bends is a hard problem; this is within a few percent of it where a
// test can try all.
//
// An outer piece is made level where that costs next to nothing: it decides what the function is beyond the samples,
// and a tanh with a slope of 0.001 there would have no bounds.
Bends choose_bends(const CurveSamples& samples, const PieceFitter& fitter, const BendOptions& options);

}  // namespace actforge
