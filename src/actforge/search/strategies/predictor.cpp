#include "actforge/search/strategies/predictor.h"

#include <algorithm>
#include <utility>

#include "actforge/surrogate/acquisition.h"
#include "actforge/surrogate/regressor.h"

namespace actforge {

Predictor::Predictor(PredictorOptions options) : options_(std::move(options)) {
  check_belief(find_acquisition(options_.acquisition), find_regressor(options_.regressor));
}

std::vector<double> Predictor::promise(PointsView places, std::span<const double> values, PointsView candidates) const {
  const std::unique_ptr<Regressor> regressor =
      find_regressor(options_.regressor).make({.seed = options_.seed, .threads = 1});
  regressor->fit(places, values);
  const AcquisitionRow& acquisition = find_acquisition(options_.acquisition);
  const double best = *std::max_element(values.begin(), values.end());
  std::vector<double> promise;
  for (const Belief& belief : regressor->believe(candidates)) promise.push_back(acquisition.value(belief, best));
  return promise;
}

}  // namespace actforge
