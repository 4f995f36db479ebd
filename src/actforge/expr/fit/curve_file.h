#pragma once

#include <string>
#include <vector>

namespace actforge {

// Samples of a curve, in the order of the file.
struct Curve {
  std::vector<double> x = {};
  std::vector<double> y = {};
};

// A CSV file with the columns x and y among others, in any order; or with two columns of numbers and no names. Throws
// Error (kBadInput) that names the file and the row.
Curve read_curve(const std::string& path);

}  // namespace actforge
