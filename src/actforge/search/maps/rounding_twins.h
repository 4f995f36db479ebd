#pragma once

#include <cstdint>
#include <vector>

#include "actforge/base/run_context.h"
#include "actforge/surrogate/points.h"

namespace actforge {

// Functions whose outputs differ by rounding alone, such as tanh(x) and (e^2x - 1)/(e^2x + 1): a space of graphs has
// them by the dozen, and being equal to the last bit does not find them. On a map a function that has more of them than
// neighbours count would see nobody else, and stand on an island.
struct RoundingTwins {
  std::vector<std::uint32_t> of;     // for every row the place in `first` of the one that stands for it
  std::vector<std::uint32_t> first;  // those rows, rising: of rows that are the same the lowest
};

// A row is the same as the one that stands for it if they are nearer than kRounding * (1 + their length).
inline constexpr double kRounding = 1e-6;
RoundingTwins rounding_twins(PointsView rows, const RunContext& run = {.threads = 0});

}  // namespace actforge
