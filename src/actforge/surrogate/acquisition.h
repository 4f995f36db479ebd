#pragma once

#include <span>
#include <string_view>

#include "actforge/surrogate/regressor.h"

namespace actforge {

// How promising a point is whose value is believed to be so, where large values are wanted and `best` is the largest so
// far.
struct AcquisitionRow {
  std::string_view name;
  std::string_view summary;
  double (*value)(const Belief& belief, double best);
  bool needs_deviation = true;  // of the belief; without one it cannot be asked
};
std::span<const AcquisitionRow> acquisitions();
// Throws Error (kUsage) with the nearest name.
const AcquisitionRow& find_acquisition(std::string_view name);

// Throws Error (kUsage), which names those that would do, where the acquisition looks at how sure a prediction is and
// the regressor does not say.
void check_belief(const AcquisitionRow& acquisition, const RegressorRow& regressor);

}  // namespace actforge
