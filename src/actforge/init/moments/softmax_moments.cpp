#include "actforge/init/moments/softmax_moments.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace actforge {

// p₁ = e^x₁ / S with S = Σ e^xᵢ. The mean is 1/n, as all n are alike and sum to one. For the second moment,
//   1/S² = ∫₀^∞ t e^(-tS) dt,  so  E p₁² = ∫ t E[e^(2x) e^(-t e^x)] (E e^(-t e^x))^(n-1) dt,
// and with t = e^u, and y = e^(u+x),
//   E p₁² = ∫ E[y² e^(-y)] (E e^(-y))^(n-1) du.
// Both expectations are over one normal x. All integrands are analytic and vanish on both sides: the trapezoidal rule.
SignalMoments softmax_moments(double count, double variance) {
  if (count <= 1) return {1, 0};
  const double mean = 1 / count, deviation = std::sqrt(variance);
  // To first order p₁ - 1/n = (x₁ - average)/n.
  constexpr double kTiny = 1e-4;
  if (variance < kTiny) return {mean, variance * mean * mean * (1 - mean)};
  // Nearly always one number has it all: E p² = (1 - c/σ)/n, as the chance that a second one comes near falls as 1/σ.
  constexpr double kWide = 60;
  if (deviation > kWide) {
    const double square = softmax_moments(count, kWide * kWide).square();
    return {mean, mean * (1 - (1 - square / mean) * kWide / deviation) - mean * mean};
  }
  constexpr double kFarthest = 9;  // standard deviations
  const double step_x = std::min(0.25, deviation / 4);
  const auto half = static_cast<int>(std::ceil(kFarthest * deviation / step_x));
  std::vector<double> density;
  double mass = 0;
  for (int i = -half; i <= half; ++i) {
    const double z = i * step_x / deviation;
    density.push_back(std::exp(-0.5 * z * z));
    mass += density.back();
  }
  // The integrand over u is largest where S is near 1/t: within [-log n - max x, -min x].
  const double first = -std::log(count) - kFarthest * deviation - 6, last = kFarthest * deviation + 4;
  // u moves on the grid of x, so that y = e^(u+x) is one of few numbers.
  const auto begin = static_cast<int>(std::floor(first / step_x)), end = static_cast<int>(std::ceil(last / step_x));
  std::vector<double> kept, peak;  // e^-y and y² e^-y at u + x = (begin - half + k) step
  for (int k = begin - half; k <= end + half; ++k) {
    const double y = std::exp(std::min(300.0, k * step_x)), e = std::exp(-y);  // y² stays a double
    kept.push_back(-std::expm1(-y));                                           // 1 - e^-y, exact where y is small
    peak.push_back(y * y * e);
  }
  double square = 0;
  for (int u = begin; u <= end; ++u) {
    double gone = 0, top = 0;
    const std::size_t offset = static_cast<std::size_t>(u - begin);
    for (std::size_t i = 0; i < density.size(); ++i) {
      gone += density[i] * kept[offset + i];
      top += density[i] * peak[offset + i];
    }
    square += top / mass * std::exp((count - 1) * std::log1p(-std::min(1.0, gone / mass))) * step_x;
  }
  return {mean, std::max(0.0, square - mean * mean)};
}

}  // namespace actforge
