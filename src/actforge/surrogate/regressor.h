#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "actforge/surrogate/points.h"

namespace actforge {

// Predicts a number from the coordinates of a point.
class Regressor {
 public:
  virtual ~Regressor() = default;
  // Replaces what was learnt before. Throws Error (kBadInput) without points, with more or fewer values than points,
  // and where anything is infinite or not a number.
  void fit(PointsView points, std::span<const double> values);
  // Throws Error (kBadInput) for points of another width.
  virtual std::vector<double> predict(PointsView points) const = 0;

 protected:
  virtual void learn(PointsView points, std::span<const double> values) = 0;
};

struct RegressorOptions {
  std::uint64_t seed = 0;   // of the random forest
  std::size_t threads = 0;  // of the random forest; the answer does not depend on it
};

// Settings are scikit-learn's defaults, but for the three neighbours of the dissertation.
struct RegressorRow {
  std::string_view name;
  std::string_view summary;
  std::unique_ptr<Regressor> (*make)(const RegressorOptions& options);
};
std::span<const RegressorRow> regressors();
// Throws Error (kUsage) with the nearest name.
const RegressorRow& find_regressor(std::string_view name);

}  // namespace actforge
