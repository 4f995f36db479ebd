#include "actforge/init/weight_distribution.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "actforge/base/error.h"
#include "actforge/base/suggest.h"
#include "actforge/init/orthogonal.h"

namespace actforge {
namespace {

void fill_normal(const Weight& /*weight*/, double deviation, Random& random, std::span<float> values) {
  for (float& value : values) value = static_cast<float>(deviation * random.normal());
}

void fill_truncated(const Weight& /*weight*/, double deviation, Random& random, std::span<float> values) {
  constexpr double kCut = 2;
  const double scale = deviation / kTruncatedDeviation;
  for (float& value : values) {
    double z = random.normal();
    while (std::fabs(z) > kCut) z = random.normal();
    value = static_cast<float>(scale * z);
  }
}

// U(-a, a) has variance a²/3.
void fill_uniform(const Weight& /*weight*/, double deviation, Random& random, std::span<float> values) {
  const double limit = std::sqrt(3.0) * deviation;
  for (float& value : values) value = static_cast<float>(limit * (2 * random.uniform() - 1));
}

void fill_scaled_orthogonal(const Weight& weight, double deviation, Random& random, std::span<float> values) {
  fill_orthogonal(weight, random, values);
  const auto scale = static_cast<float>(deviation / orthogonal_deviation(weight));
  for (float& value : values) value *= scale;
}

constexpr WeightDistribution kDistributions[] = {
    {"truncated-normal", "normal without the tails beyond two standard deviations, widened to make up for them",
     fill_truncated},
    {"normal", "normal", fill_normal},
    {"uniform", "the same density between two limits", fill_uniform},
    {"orthogonal", "orthogonal rows or columns (Saxe et al. 2014)", fill_scaled_orthogonal},
};

}  // namespace

std::span<const WeightDistribution> weight_distributions() { return kDistributions; }

const WeightDistribution& find_weight_distribution(std::string_view name) {
  std::vector<std::string_view> names;
  for (const WeightDistribution& row : kDistributions) {
    if (row.name == name) return row;
    names.push_back(row.name);
  }
  const std::string near = did_you_mean(name, names);
  throw Error(ErrorCode::kUsage, "unknown distribution '" + std::string(name) + "'" +
                                     (near.empty() ? "; there are: " + name_list(names) : near));
}

}  // namespace actforge
