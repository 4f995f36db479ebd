#pragma once

#include <string_view>
#include <vector>

#include "actforge/expr/language/reference.h"

namespace actforge {

struct Kink {
  double x;
  std::string_view kind;  // "kink": the slope jumps; "jump": the value does; "pole": the value is infinite
};

// Those on [-10, 10].
std::vector<Kink> find_kinks(const Reference& function);

// What a person wants to know of an activation function. Found by sampling [-10, 10] densely and the rest of the line
// at powers of ten: true of what was sampled, not a proof.
struct Properties {
  std::string_view monotone = "no";  // "increasing", "decreasing", "constant" or "no"
  bool bounded_below = false;
  bool bounded_above = false;
  double infimum = 0;  // where bounded
  double supremum = 0;
  bool even = false;
  bool odd = false;
  bool defined = true;     // nowhere NaN
  double mean = 0;         // for standard normal x; NaN where it does not exist
  bool zero_mean = false;  // |mean| < 1e-9
  std::vector<Kink> kinks;
};

Properties properties_of(const Reference& function);

}  // namespace actforge
