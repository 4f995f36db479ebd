#pragma once

#include <cstddef>
#include <vector>

#include "actforge/base/run_context.h"
#include "actforge/surrogate/metric.h"
#include "actforge/surrogate/points.h"

namespace actforge {

// The distance of two rows, as all functions here have it to a few roundings; in double, without overflow.
double distance(std::span<const float> a, std::span<const float> b, Metric metric);

// Distances of every point of `from` (rows) to every point of `to` (columns). A distance too large for a float is the
// largest float. The answer does not depend on the number of threads.
std::vector<float> distances(PointsView from, PointsView to, Metric metric, const RunContext& run = {.threads = 0});

// The same among the points of one set: symmetric, zeros on the diagonal, in half the time.
std::vector<float> distances_among(PointsView points, Metric metric, const RunContext& run = {.threads = 0});

}  // namespace actforge
