#pragma once

#include <span>

#include "actforge/base/random.h"
#include "actforge/net/graph/layer_kind.h"

namespace actforge {

// A matrix drawn uniformly from those with orthonormal rows (columns, where there are more rows): the first extent of
// the weight counts the rows, the others together the columns. A matrix of several gates is orthogonal in each.
void fill_orthogonal(const Weight& weight, Random& random, std::span<float> values);

// The standard deviation of the numbers in it: those of a unit vector of length max(rows, columns).
double orthogonal_deviation(const Weight& weight);

}  // namespace actforge
