#pragma once

#include <vector>

#include "actforge/space/integer.h"

namespace actforge {

// Number of ways to choose k of n.
Integer binomial(std::size_t n, std::size_t k);

// Subsets of 0 .. n-1 in order of size, within a size in lexicographic order: {}, {0}, {1}, ..., {0,1}, {0,2}, ...
std::vector<std::size_t> subset_at(std::size_t n, Integer index);
// `subset` is ascending.
Integer subset_index(std::size_t n, const std::vector<std::size_t>& subset);

}  // namespace actforge
