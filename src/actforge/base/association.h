#pragma once

#include <cstddef>
#include <span>

namespace actforge {

// Whether two things go together.

// Spearman's rank correlation: Pearson's of the ranks, equal values sharing the mean of theirs. NaN for fewer than two
// values, and where one side does not vary. Throws Error (kBadInput) on samples of different size and on a value that
// is infinite or not a number.
double rank_correlation(std::span<const double> a, std::span<const double> b);

// How many have neither, one, or both of two properties.
struct Crosstab {
  std::size_t both = 0, first = 0, second = 0, neither = 0;
};

// Fisher's exact test of "who has the first property tends to have the second": the probability of at least as many
// with both, were they independent and the totals as they are.
double fisher_exact_greater(const Crosstab& counts);

}  // namespace actforge
