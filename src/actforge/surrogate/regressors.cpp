#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "actforge/base/error.h"
#include "actforge/base/find_named.h"
#include "actforge/surrogate/regressor.h"

namespace actforge {

// A new regressor is a file with such a function, a line here and one in the table.
RegressorRow nearest_regressor();
RegressorRow forest_regressor();
RegressorRow support_regressor();
RegressorRow gaussian_regressor();
RegressorRow noisy_regressor();

namespace {

std::span<const RegressorRow> table() {
  static const std::array rows = {nearest_regressor(), forest_regressor(), support_regressor(), gaussian_regressor(),
                                  noisy_regressor()};
  return rows;
}

}  // namespace

std::span<const RegressorRow> regressors() { return table(); }

const RegressorRow& find_regressor(std::string_view name) { return find_named(table(), name, "regressor"); }

void Regressor::fit(PointsView points, std::span<const double> values, std::span<const double> runs) {
  if (points.count == 0) throw Error(ErrorCode::kBadInput, "a regressor cannot learn from no points");
  if (points.count != values.size()) {
    throw Error(ErrorCode::kBadInput,
                std::to_string(points.count) + " points and " + std::to_string(values.size()) + " values");
  }
  check_finite(points, "points to learn from");
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) {
      throw Error(ErrorCode::kBadInput, "values to learn from: number " + std::to_string(i) + " is not finite");
    }
  }
  if (!runs.empty() &&
      (runs.size() != values.size() || std::ranges::any_of(runs, [](double n) { return !(n >= 1); }))) {
    throw Error(ErrorCode::kBadInput, "a value is the mean of at least one measurement, and each has a number of them");
  }
  const std::vector<double> once(runs.empty() ? values.size() : 0, 1.0);
  learn(points, values, runs.empty() ? once : runs);
}

std::vector<double> Regressor::predict(PointsView points) const {
  std::vector<double> means;
  for (const Belief& belief : believe(points)) means.push_back(belief.mean);
  return means;
}

void check_predicted(PointsView points, std::size_t learnt_width) {
  if (points.width != learnt_width) {
    throw Error(ErrorCode::kBadInput,
                "points of " + std::to_string(points.width) + " numbers, learnt from " + std::to_string(learnt_width));
  }
  check_finite(points, "points to predict");
}

}  // namespace actforge
