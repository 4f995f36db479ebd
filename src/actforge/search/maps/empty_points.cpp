#include "actforge/search/maps/empty_points.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "actforge/base/error.h"
#include "actforge/base/number_text.h"
#include "actforge/surrogate/neighbours.h"

namespace actforge {
namespace {

Place place_of(PointsView map, std::size_t i) {
  return {static_cast<double>(map.row(i)[0]), static_cast<double>(map.row(i)[1])};
}

// Twice the area of the triangle, positive where a, b, c turn left.
double turn(const Place& a, const Place& b, const Place& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

double nearest_distance(PointsView map, const Place& place) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < map.count; ++i) {
    const Place other = place_of(map, i);
    const double dx = other.x - place.x, dy = other.y - place.y;
    least = std::min(least, dx * dx + dy * dy);
  }
  return std::sqrt(least);
}

// A grid over the map, those of its places that are in the hull, and how empty they are.
struct Grid {
  double step = 0;
  std::vector<EmptyPoint> places;
};

Grid grid_over(PointsView map, const ConvexHull& hull, const EmptyOptions& options) {
  Place low = place_of(map, 0), high = low;
  for (std::size_t i = 1; i < map.count; ++i) {
    const Place p = place_of(map, i);
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  Grid grid;
  grid.step = std::max(high.x - low.x, high.y - low.y) / static_cast<double>(std::max<std::uint64_t>(1, options.grid));
  Points asked;
  asked.width = 2;
  for (double x = low.x; x <= high.x; x += grid.step) {
    for (double y = low.y; y <= high.y; y += grid.step) {
      if (!hull.contains({x, y})) continue;
      grid.places.push_back({.at = {x, y}});
      asked.values.push_back(static_cast<float>(x));
      asked.values.push_back(static_cast<float>(y));
    }
  }
  asked.count = grid.places.size();
  if (asked.count == 0) return grid;
  const NeighbourLists nearest = neighbours_of(asked, map, {.size = 1, .run = options.run});
  for (std::size_t i = 0; i < grid.places.size(); ++i) {
    grid.places[i].distance = static_cast<double>(nearest.distances(i)[0]);
  }
  return grid;
}

// The emptiest place near a place of the grid: steps in many directions, other ones each time, halved where none of
// them leads on. (The distance has ridges, and the hull has edges, along which few directions do.)
EmptyPoint climb(PointsView map, const ConvexHull& hull, EmptyPoint from, double step) {
  from.distance = nearest_distance(map, from.at);
  constexpr int kDirections = 64;
  double turned = 0;
  for (const double smallest = 1e-4 * step; step > smallest; turned += 0.618) {
    EmptyPoint best = from;
    for (int direction = 0; direction < kDirections; ++direction) {
      const double angle = 2 * std::acos(-1.0) * (direction + turned) / kDirections;
      const Place at = {from.at.x + step * std::cos(angle), from.at.y + step * std::sin(angle)};
      if (!hull.contains(at)) continue;
      const double distance = nearest_distance(map, at);
      if (distance > best.distance) best = {.at = at, .distance = distance};
    }
    best.distance > from.distance ? void(from = best) : void(step /= 2);
  }
  return from;
}

bool within(const EmptyPoint& circle, const Place& place) {
  return std::hypot(circle.at.x - place.x, circle.at.y - place.y) < circle.distance;
}

}  // namespace

// Andrew's monotone chain: the lower border from left to right, then the upper one back.
ConvexHull::ConvexHull(PointsView map) {
  if (map.width != 2) {
    throw Error(ErrorCode::kBadInput,
                "holes are looked for in maps of two dimensions, not " + std::to_string(map.width));
  }
  check_finite(map, "the map");
  std::vector<Place> points;
  points.reserve(map.count);
  for (std::size_t i = 0; i < map.count; ++i) points.push_back(place_of(map, i));
  std::ranges::sort(points, [](const Place& a, const Place& b) { return a.x < b.x || (a.x == b.x && a.y < b.y); });
  const auto extend = [&](const Place& point, std::size_t base) {
    while (corners_.size() >= base + 2 && turn(corners_[corners_.size() - 2], corners_.back(), point) <= 0) {
      corners_.pop_back();
    }
    corners_.push_back(point);
  };
  for (const Place& point : points) extend(point, 0);
  const std::size_t upper = corners_.empty() ? 0 : corners_.size() - 1;
  for (std::size_t i = points.size(); i-- > 1;) extend(points[i - 1], upper);
  if (!corners_.empty()) corners_.pop_back();  // the first again
  if (corners_.size() < 3 || !(area() > 0)) {
    throw Error(ErrorCode::kBadInput,
                "the points of the map are fewer than three, or on one line: they enclose no empty place");
  }
}

bool ConvexHull::contains(const Place& place) const {
  for (std::size_t i = 0; i < corners_.size(); ++i) {
    if (turn(corners_[i], corners_[(i + 1) % corners_.size()], place) < 0) return false;
  }
  return true;
}

double ConvexHull::area() const {
  double twice = 0;
  for (std::size_t i = 2; i < corners_.size(); ++i) twice += turn(corners_[0], corners_[i - 1], corners_[i]);
  return twice / 2;
}

std::vector<EmptyPoint> emptiest_points(PointsView map, std::size_t count, const EmptyOptions& options) {
  const ConvexHull hull(map);
  Grid grid = grid_over(map, hull, options);
  std::ranges::stable_sort(grid.places, std::ranges::greater{}, &EmptyPoint::distance);
  std::vector<EmptyPoint> found;
  for (const EmptyPoint& place : grid.places) {
    if (found.size() == count) break;
    const auto inside = [&](const Place& at) {
      return std::ranges::any_of(found, [&](const EmptyPoint& circle) { return within(circle, at); });
    };
    if (inside(place.at)) continue;
    const EmptyPoint top = climb(map, hull, place, grid.step);
    if (!inside(top.at)) found.push_back(top);
    options.run.show("holes", found.size(), count);
  }
  std::ranges::stable_sort(found, std::ranges::greater{}, &EmptyPoint::distance);
  return found;
}

EmptyPoint best_empty_point(PointsView map, double clearance, const PointValues& values, const EmptyOptions& options) {
  const ConvexHull hull(map);
  Grid grid = grid_over(map, hull, options);
  std::erase_if(grid.places, [&](const EmptyPoint& place) { return place.distance < clearance; });
  if (grid.places.empty()) {
    throw Error(ErrorCode::kBadInput, "no place of the map is " + number_text(clearance) +
                                          " or more from every function; ask for a smaller distance");
  }
  Points asked(grid.places.size(), 2);
  for (std::size_t i = 0; i < grid.places.size(); ++i) {
    asked.row(i)[0] = static_cast<float>(grid.places[i].at.x);
    asked.row(i)[1] = static_cast<float>(grid.places[i].at.y);
  }
  const std::vector<double> predicted = values(asked);
  for (std::size_t i = 0; i < grid.places.size(); ++i) grid.places[i].value = predicted.at(i);
  return *std::ranges::max_element(grid.places, [](const EmptyPoint& a, const EmptyPoint& b) {
    return a.value < b.value || (a.value == b.value && a.distance < b.distance);
  });
}

double usual_clearance(PointsView map, const RunContext& run) {
  if (map.count < 2) return 0;
  const NeighbourLists nearest = neighbours_among(map, {.size = 2, .run = run});
  std::vector<float> distances;
  distances.reserve(map.count);
  for (std::size_t i = 0; i < map.count; ++i) distances.push_back(nearest.distances(i)[1]);
  const auto rank = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() * 19 / 20);
  std::nth_element(distances.begin(), rank, distances.end());
  return static_cast<double>(*rank);
}

}  // namespace actforge
