#pragma once

#include <cstdint>
#include <string>

namespace actforge {

// A function whose features are to be measured, and under which conditions.
struct FeatureTarget {
  std::string group = {};  // as StudyFeatures::group
  std::string expression = {};
  std::string key = {};  // of the canonical form
};

// The right to measure them, until the lease of the worker runs out.
struct FeatureClaim {
  FeatureTarget target = {};
  std::int64_t attempt = 0;  // from 1
};

}  // namespace actforge
