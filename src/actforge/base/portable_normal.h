#pragma once

#include "actforge/base/random.h"

namespace actforge {

// A normal number that is the same on every machine to the last bit, for what is compared between machines. It is
// Random::normal() from the same draws but for an ulp or two: that one takes logarithm and cosine from the C library,
// which has several versions of both and picks one by the processor.
double portable_normal(Random& random);

}  // namespace actforge
