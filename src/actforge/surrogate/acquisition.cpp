#include "actforge/surrogate/acquisition.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "actforge/base/find_named.h"
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
  const double deviation = belief.deviation.value();
  if (deviation == 0) return std::max(0.0, gain);
  const double z = gain / deviation;
  return std::max(0.0, gain * normal_below(z) + deviation * normal_density(z));
}

double probability_of_improvement(const Belief& belief, double best) {
  const double deviation = belief.deviation.value();
  if (deviation == 0) return belief.mean > best ? 1 : 0;
  return normal_below((belief.mean - best) / deviation);
}

double upper_confidence_bound(const Belief& belief, double) { return belief.mean + kBound * belief.deviation.value(); }

double predicted_maximum(const Belief& belief, double) { return belief.mean; }

constexpr AcquisitionRow kTable[] = {
    {"maximum", "the mean", predicted_maximum, false},
    {"expected-improvement", "by how much the best is exceeded, on average", expected_improvement},
    {"probability-of-improvement", "how likely the best is exceeded", probability_of_improvement},
    {"upper-confidence-bound", "the mean and two standard deviations", upper_confidence_bound},
};

}  // namespace

std::span<const AcquisitionRow> acquisitions() { return kTable; }

const AcquisitionRow& find_acquisition(std::string_view name) { return find_named(kTable, name, "acquisition"); }

void check_belief(const AcquisitionRow& acquisition, const RegressorRow& regressor) {
  if (!acquisition.needs_deviation || regressor.has_deviation) return;
  std::vector<std::string_view> surer, plainer;
  for (const RegressorRow& row : regressors()) {
    if (row.has_deviation) surer.push_back(row.name);
  }
  for (const AcquisitionRow& row : kTable) {
    if (!row.needs_deviation) plainer.push_back(row.name);
  }
  throw Error(ErrorCode::kUsage, "the acquisition '" + std::string(acquisition.name) +
                                     "' looks at how sure a prediction is, which the regressor '" +
                                     std::string(regressor.name) + "' does not say; take a regressor that does (" +
                                     name_list(surer) + "), or the acquisition " + name_list(plainer));
}

}  // namespace actforge
