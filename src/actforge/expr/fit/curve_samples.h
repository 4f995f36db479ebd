#pragma once

#include <span>
#include <vector>

namespace actforge {

// What is known of a curve: y for some x, ascending and all different. Samples that shared an x have become one, with
// their mean and a weight that says how many they were, so that a fit counts every sample alike. Weights sum to one.
struct CurveSamples {
  std::vector<double> x = {};
  std::vector<double> y = {};
  std::vector<double> weight = {};

  double left() const { return x.front(); }
  double right() const { return x.back(); }
};

// In any order, the same x as often as it likes. Throws Error (kBadInput) where there are not two different x, where
// there are more or fewer y than x, and on a number that is infinite, not a number or beyond 1e30, naming which one.
CurveSamples curve_samples(std::span<const double> x, std::span<const double> y);

// Not more than `most`: neighbours are put together where there are more, with their means.
CurveSamples thinned(const CurveSamples& samples, std::size_t most);

}  // namespace actforge
