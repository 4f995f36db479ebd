#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "actforge/surrogate/points.h"

namespace actforge {

struct PredictorOptions {
  std::string regressor = "knn";        // a row of regressors()
  std::string acquisition = "maximum";  // a row of acquisitions()
  std::uint64_t seed = 0;
};

// How promising functions are, from the values of others and where all of them are on a map.
class Predictor {
 public:
  // Throws Error (kUsage) for a name that there is not, and where the acquisition needs to know more than the regressor
  // says.
  explicit Predictor(PredictorOptions options);

  // One number for each candidate; more is better. The predicted value, but for what the acquisition makes of it. A
  // value is the mean of so many evaluations. What is to be exceeded is the largest value; where the regressor knows of
  // noise and says how sure it is, the largest that it believes in, because the largest value is partly luck.
  std::vector<double> promise(PointsView places, std::span<const double> values, std::span<const double> runs,
                              PointsView candidates) const;

 private:
  PredictorOptions options_;
};

}  // namespace actforge
