#pragma once

#include <span>
#include <string_view>

#include "actforge/surrogate/gaussian_process.h"

namespace actforge {

// How promising a point is whose value is believed to be so, where large values are wanted and `best` is the largest so
// far.
struct AcquisitionRow {
  std::string_view name;
  std::string_view summary;
  double (*value)(const Belief& belief, double best);
};
std::span<const AcquisitionRow> acquisitions();
// Throws Error (kUsage) with the nearest name.
const AcquisitionRow& find_acquisition(std::string_view name);

}  // namespace actforge
