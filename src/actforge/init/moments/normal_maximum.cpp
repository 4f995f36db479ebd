#include "actforge/init/moments/normal_maximum.h"

#include <algorithm>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>
#include <numbers>
#include <vector>

namespace actforge {
namespace {

double density(double z) { return std::exp(-0.5 * z * z) / std::sqrt(2 * std::numbers::pi); }
double below(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

}  // namespace

// P(max < z) = Φ(z)^n, so its density is n φ(z) Φ(z)^(n-1). That is analytic and falls off faster than exponentially on
// both sides, where the trapezoidal rule converges faster than any power of its step (Trefethen and Weideman 2014).
SignalMoments standard_maximum(double count) {
  if (count <= 1) return {0, 1};
  constexpr double kStep = 1.0 / 64, kFarthest = 12;
  double mass = 0, mean = 0;
  const auto weight = [&](double z) {
    // log Φ from the other tail, where Φ is 1 to rounding
    const double log_below = z > 0 ? std::log1p(-below(-z)) : std::log(below(z));
    return density(z) * std::exp((count - 1) * log_below);
  };
  for (double z = -kFarthest; z <= kFarthest; z += kStep) {
    const double w = weight(z);
    mass += w, mean += w * z;
  }
  mean /= mass;
  double variance = 0;
  for (double z = -kFarthest; z <= kFarthest; z += kStep) variance += weight(z) * (z - mean) * (z - mean);
  return {mean, variance / mass};
}

SignalMoments maximum_of_equals(const SignalMoments& each, double count) {
  const SignalMoments standard = standard_maximum(count);
  return {each.mean + std::sqrt(each.variance) * standard.mean, each.variance * standard.variance};
}

// max = Xᵢ where all others are smaller:
//   E g(max) = Σᵢ ∫ g(x) fᵢ(x) Πⱼ≠ᵢ Fⱼ(x) dx,
// each integral over the standard score of its own i, cut where another one's distribution function rises.
SignalMoments maximum_of(std::span<const SignalMoments> inputs) {
  if (std::all_of(inputs.begin(), inputs.end(), [&](const SignalMoments& m) { return m == inputs[0]; })) {
    return maximum_of_equals(inputs[0], static_cast<double>(inputs.size()));
  }
  double scale = 0, centre = inputs[0].mean;
  for (const SignalMoments& m : inputs) {
    scale = std::max({scale, std::sqrt(m.variance), std::fabs(m.mean - centre)});
    centre = std::max(centre, m.mean);
  }
  // A number that does not vary is one that varies very little.
  std::vector<double> deviation;
  for (const SignalMoments& m : inputs) deviation.push_back(std::max(std::sqrt(m.variance), 1e-9 * scale));

  constexpr double kFarthest = 10;
  double mass = 0, first = 0, second = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto x_at = [&](double z) { return inputs[i].mean + deviation[i] * z; };
    const auto weight = [&](double z) {
      double w = density(z);
      for (std::size_t j = 0; j < inputs.size(); ++j) {
        if (j != i) w *= below((x_at(z) - inputs[j].mean) / deviation[j]);
      }
      return w;
    };
    std::vector<double> cuts = {-kFarthest, 0, kFarthest};
    for (std::size_t j = 0; j < inputs.size() && inputs.size() <= 64; ++j) {
      for (const double score : {-6.0, 0.0, 6.0}) {
        const double z = (inputs[j].mean + score * deviation[j] - inputs[i].mean) / deviation[i];
        if (j != i && std::fabs(z) < kFarthest) cuts.push_back(z);
      }
    }
    std::sort(cuts.begin(), cuts.end());
    for (std::size_t k = 0; k + 1 < cuts.size(); ++k) {
      if (!(cuts[k + 1] > cuts[k])) continue;
      const auto integrate = [&](auto part) {
        return boost::math::quadrature::gauss_kronrod<double, 31>::integrate(
            [&](double z) { return weight(z) * part(x_at(z) - centre); }, cuts[k], cuts[k + 1], 8, 1e-9);
      };
      mass += integrate([](double) { return 1.0; });
      first += integrate([](double x) { return x; });
      second += integrate([](double x) { return x * x; });
    }
  }
  const double mean = first / mass;
  return {centre + mean, std::max(0.0, second / mass - mean * mean)};
}

}  // namespace actforge
