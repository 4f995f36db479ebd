#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace actforge {

// Numbers that describe a function to a surrogate, such as the spectrum of the Fisher information. Those of one group
// were measured under the same conditions.
struct StudyFeatures {
  std::string group = {};  // those conditions, in words of the caller
  std::string expression = {};
  std::string key = {};  // of the canonical form
  bool valid = true;
  std::string reason = {};         // why not
  std::vector<float> values = {};  // finite; none of what is not valid
  double noise = 0;                // mean distance of a repeat from their mean
  double seconds = 0;
  std::string version = {};  // of the software
};

// Those of one group that came since `seen`, which is moved on, wherever they are: Store::features(), for example.
using FeatureReader = std::function<std::vector<StudyFeatures>(std::int64_t& seen)>;

}  // namespace actforge
