#pragma once

#include "actforge/expr/fit/hinges.h"
#include "actforge/expr/fit/linear_pieces.h"

namespace actforge {

// Smooth hinges where `pieces` bends, with factors fitted to the samples. A level end of the pieces stays level.
struct SmoothFit {
  HingeForm form = {};
  double error = 0;    // root of the mean squared error, before rounding
  double bending = 0;  // Σ of what hinges change the slope by, without signs
};
SmoothFit smooth_hinges(const CurveSamples& samples, const LinearPieces& pieces, double sharpness);

// The smallest of some sharpnesses, each twice the one before, whose error is below the tolerance or at most a tenth
// above the least. The first is 2/d, with d the mean distance of the bends: a softplus of sharpness k bends over a
// distance of about 4/k, so that neighbours overlap and their sum has a slope without steps. Even smoother ones are so
// alike that large factors of opposite signs take the place of small ones, which float32 cannot add up; so fits that
// bend four times as much as the straight pieces do are not taken.
SmoothFit smoothest_hinges(const CurveSamples& samples, const LinearPieces& pieces, double tolerance);

}  // namespace actforge
