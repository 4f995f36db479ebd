#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "actforge/base/run_context.h"
#include "actforge/surrogate/points.h"

namespace actforge {

// What is believed of a value that was not measured: normal, with this mean and standard deviation. Without the latter
// nothing is known of how sure the mean is.
struct Belief {
  double mean = 0;
  std::optional<double> deviation = {};
};

// Predicts a number from the coordinates of a point.
class Regressor {
 public:
  virtual ~Regressor() = default;
  // Replaces what was learnt before. A value is the mean of so many measurements; without `runs`, of one. Throws Error
  // (kBadInput) without points, with more or fewer values than points, and where anything is infinite or not a number.
  void fit(PointsView points, std::span<const double> values, std::span<const double> runs = {});
  // One for each point. Throws Error (kBadInput) for points of another width.
  virtual std::vector<Belief> believe(PointsView points) const = 0;
  // The means alone.
  std::vector<double> predict(PointsView points) const;

 protected:
  virtual void learn(PointsView points, std::span<const double> values, std::span<const double> runs) = 0;
};

// Settings are scikit-learn's defaults, but for the three neighbours of the dissertation. The answer does not depend on
// the number of threads.
struct RegressorRow {
  std::string_view name;
  std::string_view summary;
  std::unique_ptr<Regressor> (*make)(const RunContext& run) = nullptr;
  bool has_deviation = false;  // whether its beliefs say how sure they are
  bool knows_noise = false;    // a value that was measured more often counts for more
};
std::span<const RegressorRow> regressors();
// Throws Error (kUsage) with the nearest name.
const RegressorRow& find_regressor(std::string_view name);

// What believe() of each begins with: throws Error (kBadInput) unless points have the width that was learnt.
void check_predicted(PointsView points, std::size_t learnt_width);

}  // namespace actforge
