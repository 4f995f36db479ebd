#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "actforge/expr/language/reference.h"

namespace actforge {

// Samples of a curve, in the order of the file.
struct Curve {
  std::vector<double> x = {};
  std::vector<double> y = {};
};

// A CSV file with the columns x and y among others, in any order; or with two columns of numbers and no names. Throws
// Error (kBadInput) that names the file and the row.
Curve read_curve(const std::string& path);

// A function at `count` evenly spaced inputs, two at least, both ends included. Throws Error (kBadInput) where it is
// not finite.
struct SampledRange {
  double low = -5;
  double high = 5;
  std::uint64_t count = 1001;
};
Curve sample_curve(const Reference& function, const SampledRange& range);

}  // namespace actforge
