#include "actforge/init/weights/weight_distribution.h"

#include <cmath>
#include <vector>

#include "actforge/base/find_named.h"
#include "actforge/init/weights/orthogonal.h"
#include "actforge/init/weights/random_fill.h"

namespace actforge {
namespace {

void fill(RandomShape shape, double scale, Random& random, std::span<float> values) {
  fill_random({.shape = shape, .key = random.next(), .scale = static_cast<float>(scale)}, values);
}

void fill_normal(const Weight& /*weight*/, double deviation, Random& random, std::span<float> values) {
  fill(RandomShape::kNormal, deviation, random, values);
}

void fill_truncated(const Weight& /*weight*/, double deviation, Random& random, std::span<float> values) {
  fill(RandomShape::kTruncatedNormal, deviation / kTruncatedDeviation, random, values);
}

// U(-a, a) has variance a²/3.
void fill_uniform(const Weight& /*weight*/, double deviation, Random& random, std::span<float> values) {
  fill(RandomShape::kUniform, std::sqrt(3.0) * deviation, random, values);
}

void fill_scaled_orthogonal(const Weight& weight, double deviation, Random& random, std::span<float> values) {
  fill_orthogonal(weight, random, values);
  const auto scale = static_cast<float>(deviation / orthogonal_deviation(weight));
  for (float& value : values) value *= scale;
}

constexpr WeightDistribution kDistributions[] = {
    {"truncated-normal", "normal without the tails beyond two standard deviations, widened to compensate for them",
     fill_truncated},
    {"normal", "normal", fill_normal},
    {"uniform", "the same density between two limits", fill_uniform},
    {"orthogonal", "orthogonal rows or columns (Saxe et al. 2014)", fill_scaled_orthogonal},
};

}  // namespace

std::span<const WeightDistribution> weight_distributions() { return kDistributions; }

const WeightDistribution& find_weight_distribution(std::string_view name) {
  return find_named(kDistributions, name, "distribution");
}

}  // namespace actforge
