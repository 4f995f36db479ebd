#pragma once

namespace actforge {

// How strong an edge of the embedding is at distance d: 1/(1 + a d^(2b)).
struct MembershipCurve {
  double a = 1;
  double b = 1;
};

// The curve nearest, in the sense of least squares over 300 distances from 0 to 3*spread, to 1 up to `min_dist` and
// exp(-(d - min_dist)/spread) beyond. Throws Error (kUsage) unless 0 <= min_dist <= spread and spread > 0.
MembershipCurve fit_membership_curve(double spread, double min_dist);

}  // namespace actforge
