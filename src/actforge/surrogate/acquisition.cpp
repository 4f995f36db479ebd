#include "actforge/surrogate/acquisition.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "actforge/base/error.h"
#include "actforge/base/suggest.h"

namespace actforge {
namespace {

// Deviations above the mean that the upper bound lies; the dissertation gives no number.
constexpr double kBound = 2;

double normal_density(double z) { return std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi); }
double normal_below(double z) { return std::erfc(-z / std::numbers::sqrt2) / 2; }

// E[max(0, v - best)] for normal v: with z = (mean - best)/deviation, deviation (z Phi(z) + phi(z)).
double expected_improvement(const Belief& belief, double best) {
  const double gain = belief.mean - best;
  if (belief.deviation == 0) return std::max(0.0, gain);
  const double z = gain / belief.deviation;
  return std::max(0.0, gain * normal_below(z) + belief.deviation * normal_density(z));
}

double probability_of_improvement(const Belief& belief, double best) {
  if (belief.deviation == 0) return belief.mean > best ? 1 : 0;
  return normal_below((belief.mean - best) / belief.deviation);
}

double upper_confidence_bound(const Belief& belief, double) { return belief.mean + kBound * belief.deviation; }

double predicted_maximum(const Belief& belief, double) { return belief.mean; }

constexpr AcquisitionRow kTable[] = {
    {"expected-improvement", "by how much the best is exceeded, on average", expected_improvement},
    {"probability-of-improvement", "how likely the best is exceeded", probability_of_improvement},
    {"upper-confidence-bound", "the mean and two standard deviations", upper_confidence_bound},
    {"maximum", "the mean", predicted_maximum},
};

}  // namespace

std::span<const AcquisitionRow> acquisitions() { return kTable; }

const AcquisitionRow& find_acquisition(std::string_view name) {
  std::vector<std::string_view> names;
  for (const AcquisitionRow& row : kTable) {
    if (row.name == name) return row;
    names.push_back(row.name);
  }
  const std::string near = did_you_mean(name, names);
  throw Error(ErrorCode::kUsage, "unknown acquisition '" + std::string(name) + "'" +
                                     (near.empty() ? "; there are: " + name_list(names) : near));
}

}  // namespace actforge
