#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "actforge/surrogate/points.h"

namespace actforge {

struct Place {
  double x = 0;
  double y = 0;
};

struct EmptyPlace {
  Place at = {};
  double distance = 0;  // to the nearest point of the map
  double value = 0;     // predicted, where there are predictions
};

struct EmptyOptions {
  // Places along the longer side of the map that are looked at, before closing in on the best: the holes that are found
  // are larger than a step.
  std::uint64_t grid = 200;
  std::uint64_t threads = 0;  // 0: one per processor. The answer does not depend on it.
  // Called after every place that was looked at closely. To stop, it throws.
  std::function<void(std::size_t done, std::size_t total)> progress = {};
};

// All of these look at a map of two dimensions, within its convex hull: outside of it nothing is between functions.
// Throws Error (kBadInput) for another dimension, and for fewer than three points or points on one line, which enclose
// nothing.

// The middles of the largest circles without a point, the largest first. A circle's middle is in no larger one, so that
// they are different holes.
std::vector<EmptyPlace> emptiest_places(PointsView map, std::size_t count, const EmptyOptions& options = {});

// Values for places, such as a regressor's predictions.
using PlaceValues = std::function<std::vector<double>(PointsView places)>;

// The place of the highest value among those at least `clearance` from every point; of equal ones the emptiest. Throws
// Error (kBadInput) where there is none.
EmptyPlace best_empty_place(PointsView map, double clearance, const PlaceValues& values,
                            const EmptyOptions& options = {});

// What counts as empty, if nobody says otherwise: farther from every function than 19 of 20 functions are from their
// nearest.
double usual_clearance(PointsView map, std::size_t threads = 0);

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
