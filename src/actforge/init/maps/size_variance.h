#pragma once

#include <memory>
#include <vector>

#include "actforge/init/maps/moment_map.h"
#include "actforge/init/maps/spatial_profile.h"

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
struct SizeVariance {
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
using SizeVariancePointer = std::shared_ptr<const SizeVariance>;

// How many extents of places a signal has, as far as they are told apart.
std::size_t place_extents(const Signal& signal);
// The same numbers, at places of another kind.
SizeVariance with_extents(const SizeVariance& old, std::size_t extents);

// Var x²/(E x²)², or the covariance of two places, of normal numbers.
double normal_own(const SignalMoments& x, double covariance);
// Numbers that are normal where e is given, of these moments.
void set_normal(SizeVariance& spread, const SignalMoments& output);
// Makes C(0) that of a function's output, and of 1 + C at every distance the same power.
void scale_to(SizeVariance& spread, double here);
// Adds what the numbers of n channels contribute by themselves to the mean square of a place.
void add_own(SizeVariance& spread, double channels);
// Over the points of a window; the deviations those of a place whose window lies over larger and smaller ones.
void average_windows(SizeVariance& spread, const Window& window);
void average_deviations(SizeVariance& spread, const MomentQuery& question, const Window& window);

// Columns of the table in moment_map_table.h.
// Of layers whose output is about normal where the sizes of their inputs are given. Of several inputs the mean squares
// add.
SizeVariance usual_spread(const MomentQuery& question, const MomentResult& answer);
// Of products.
SizeVariance multiplied_spread(const MomentQuery& question, const MomentResult& answer);
// Of layers that keep a part of the numbers, as they are.
SizeVariance same_spread(const MomentQuery& question, const MomentResult& answer);

}  // namespace actforge
