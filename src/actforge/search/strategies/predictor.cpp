#include "actforge/search/strategies/predictor.h"

#include <algorithm>
#include <utility>

#include "actforge/surrogate/acquisition.h"
#include "actforge/surrogate/regressor.h"

namespace actforge {

Predictor::Predictor(PredictorOptions options) : options_(std::move(options)) {
  check_belief(find_acquisition(options_.acquisition), find_regressor(options_.regressor));
}

std::vector<double> Predictor::promise(PointsView places, std::span<const double> values, std::span<const double> runs,
                                       PointsView candidates) const {
  const RegressorRow& row = find_regressor(options_.regressor);
  const std::unique_ptr<Regressor> regressor = row.make({.seed = options_.seed, .threads = 1});
  regressor->fit(places, values, runs);
  const AcquisitionRow& acquisition = find_acquisition(options_.acquisition);
  const double best = row.knows_noise && row.has_deviation ? std::ranges::max(regressor->predict(places))
                                                           : *std::max_element(values.begin(), values.end());
  std::vector<double> promise;
  for (const Belief& belief : regressor->believe(candidates)) promise.push_back(acquisition.value(belief, best));
  return promise;
}

}  // namespace actforge
