#pragma once

#include <memory>
#include <vector>

#include "actforge/init/layer_map.h"
#include "actforge/init/spatial_profile.h"

namespace actforge {

// How much the size of a signal differs from one place to another, from one image to another and from one draw of the
// weights to another.
//
// Given the numbers that reach it, the output of a convolution is normal, and its variance is the same in all channels:
// proportional to the mean square e(p) of the numbers in the window at place p. That is an average over finitely many
// random numbers, and so is random itself. A signal is therefore a mixture of normal ones, and E f² of the function
// that follows is E F(e), not F(E e): Swish, whose F bends upwards, makes a signal 15% larger over All-CNN-C than its
// Gaussian moments say (the differences between places at the edge and inside, spatial_profile.h, included). With δ =
// e/E e - 1, and n channels with windows W of k points,
//
//   δ'(p) = 1/k Σ_W [ γ δ(q) + 1/n Σ_c η_c(q) ]
//
// where γ is the power of the function in between (E f² ~ v^γ), and η_c = f²/E f² - 1 is what a channel's own numbers
// add. The relative covariance of e at two places depends on their distance d:
//
//   C'(d) = 1/k² Σ_{q,q' in W} D(s d + q' - q),   D(d) = γ² C(d) + 1/n cov(η(0), η(d))
//
// with stride s. Deviations are not small, and γ is not one number. What is followed are log-normal sizes, for which
// 1 + C becomes (1 + C)^(γ²) where F is a power; γ² is then what makes the variance of F(v) over the sizes that occur
// (mixed_response.h). It differs between the middle of an image and its edges, which are smaller:
//
//   C(p, p') = g(p) g(p') C(p - p')
//
// with deviations g that a function changes at each place and a window averages. The covariance of η at two places of
// one channel follows from their correlation ρ by Mehler's formula; it is the same at every distance, since ρ is, for
// input whose pixels are independent.
struct SignalSpread {
  // C by distance, -kReach..kReach along each extent of the image, and at larger distances.
  static constexpr std::int64_t kReach = 6;
  std::size_t extents = 0;
  std::vector<double> shared = {0};
  double far = 0;
  ProfilePointer deviations = {};  // g
  // Of a number's square, relative to its mean, given e: its variance, and its covariance with that at another place.
  double own = 2, own_far = 0;

  double here() const { return shared[shared.size() / 2]; }  // C(0)
};
using SpreadPointer = std::shared_ptr<const SignalSpread>;

// `output` is the layer's, with its correlation.
SpreadPointer next_spread(const MapQuestion& question, const MapAnswer& answer);

}  // namespace actforge
