#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "actforge/base/run_context.h"
#include "actforge/surrogate/points.h"

namespace actforge {

struct Place {
  double x = 0;
  double y = 0;
};

struct EmptyPoint {
  Place at = {};
  double distance = 0;  // to the nearest point of the map
  double value = 0;     // predicted, where there are predictions
};

struct EmptyOptions {
  // Places along the longer side of the map that are looked at, before closing in on the best: the holes that are found
  // are larger than a step.
  std::uint64_t grid = 200;
  // The answer does not depend on the number of threads. The step "holes" counts places that were looked at closely.
  RunContext run = {.threads = 0};
};

// All of these look at a map of two dimensions, within its convex hull: outside of it nothing is between functions.
// Throws Error (kBadInput) for another dimension, and for fewer than three points or points on one line, which enclose
// nothing.

// The middles of the largest circles without a point, the largest first. A circle's middle is in no larger one, so that
// they are different holes.
std::vector<EmptyPoint> emptiest_points(PointsView map, std::size_t count, const EmptyOptions& options = {});

// Values for places, such as a regressor's predictions.
using PointValues = std::function<std::vector<double>(PointsView places)>;

// The place of the highest value among those at least `clearance` from every point; of equal ones the emptiest. Throws
// Error (kBadInput) where there is none.
EmptyPoint best_empty_point(PointsView map, double clearance, const PointValues& values,
                            const EmptyOptions& options = {});

// What counts as empty, if nobody says otherwise: farther from every function than 19 of 20 functions are from their
// nearest.
double usual_clearance(PointsView map, const RunContext& run = {.threads = 0});

// Whether a place is within the convex hull of the points.
class ConvexHull {
 public:
  explicit ConvexHull(PointsView map);
  bool contains(const Place& place) const;
  double area() const;

 private:
  std::vector<Place> corners_;  // counter-clockwise
};

}  // namespace actforge
