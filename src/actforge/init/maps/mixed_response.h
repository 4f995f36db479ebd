#pragma once

#include "actforge/init/maps/spatial_profile.h"
#include "actforge/init/moments/size_response.h"

namespace actforge {

// What a function does to a signal whose size v differs from place to place of an image (spatial_profile.h) and, at
// each place, by chance (size_variance.h). Each layer multiplies the deviations of those before it, so v is taken as
// log-normal, with the mean and the relative variance of its place. F is averaged over it by Gauss's rule with five
// points. In All-CNN-C, where v is far from symmetric, E F(v) is then right to 1%, given the mean and variance of v.
struct MixedResponse {
  double mean = 0, square = 0;  // E f, E f², averaged over the places
  ProfilePointer profile = {};  // of E f²
  // Relative variance of F(v), averaged over the places, larger ones counting more; its root at each place, relative.
  double spread = 0;
  ProfilePointer deviations = {};
  double own = 0;  // Var f² where v is given, relative to E F(v)²
};

// `spread` is the relative variance of v, and `deviations` its root by place, relative to √spread.
MixedResponse mixed_response(const SizeResponse& f, const ProfilePointer& profile, double spread,
                             const ProfilePointer& deviations);

}  // namespace actforge
