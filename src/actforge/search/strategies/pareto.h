#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace actforge {

// One number per objective, more is better; none is NaN. All of a list are equally long.
using Scores = std::vector<double>;

// Nowhere worse, and somewhere better.
bool dominates(const Scores& a, const Scores& b);

// The indices, ascending, of those that none dominates.
std::vector<std::size_t> pareto_front(std::span<const Scores> points);

// For each the front it is in: 0 where none dominates it; 1 where none does once those are taken away; and so on.
// n log n comparisons for two objectives; for more, n² at worst.
std::vector<std::size_t> front_ranks(std::span<const Scores> points);

// How far each is from its neighbours on its front, as in NSGA-II: for every objective the gap between the next ones on
// both sides, as a share of the front's extent, summed. The ends of a front are infinitely far.
std::vector<double> crowding_distances(std::span<const Scores> points, std::span<const std::size_t> ranks);

}  // namespace actforge
