#pragma once

#include <span>
#include <string_view>

#include "actforge/base/random.h"
#include "actforge/net/graph/network.h"

namespace actforge {

// A shape for random weights of mean zero: one row in weight_distribution.cpp.
struct WeightDistribution {
  std::string_view name;
  std::string_view summary;
  // Numbers whose standard deviation is `deviation`.
  void (*fill)(const Weight& weight, double deviation, Random& random, std::span<float> values);
};

std::span<const WeightDistribution> weight_distributions();
// Throws Error (kUsage) with the nearest name.
const WeightDistribution& find_weight_distribution(std::string_view name);

// The standard deviation of a standard normal variable that is drawn again while it is beyond ±2.
//   Var(Z | |Z|<a) = 1 - 2 a φ(a) / (2Φ(a) - 1),  a = 2:  0.77374...
inline constexpr double kTruncatedDeviation = 0.87962566103423978;

}  // namespace actforge
