#pragma once

#include <utility>
#include <vector>

#include "actforge/base/random.h"

namespace actforge {

// Fisher and Yates. std::shuffle gives another order with another standard library.
template <class T>
void shuffle(std::vector<T>& values, Random& random) {
  for (std::size_t left = values.size(); left > 1; --left) std::swap(values[left - 1], values[random.below(left)]);
}

}  // namespace actforge
