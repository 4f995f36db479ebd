#include "actforge/search/strategies/pareto.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace actforge {
namespace {

// Best first by the first objective, then by the second, ...: none is dominated by a later one.
std::vector<std::size_t> descending(std::span<const Scores> points) {
  std::vector<std::size_t> order(points.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(
      order, [&](std::size_t a, std::size_t b) { return points[a] == points[b] ? a < b : points[a] > points[b]; });
  return order;
}

// The first of the fronts that does not dominate a point. Each front dominates all that the next one does: whatever is
// on the next has one on this one above it. So the fronts that dominate come first.
template <class Fronts, class Dominates>
std::size_t first_free(const Fronts& fronts, Dominates front_dominates) {
  return static_cast<std::size_t>(std::ranges::partition_point(fronts, front_dominates) - fronts.begin());
}

// Taken in descending order, a front of two objectives rises in the second, and what is best there decides: those
// before have no less of the first.
std::vector<std::size_t> ranks_of_two(std::span<const Scores> points) {
  std::vector<std::size_t> ranks(points.size());
  std::vector<double> best_second;  // of each front
  const Scores* last = nullptr;
  std::size_t last_rank = 0;
  for (const std::size_t i : descending(points)) {
    // Equal points do not dominate each other.
    if (last == nullptr || *last != points[i]) {
      last_rank = first_free(best_second, [&](double best) { return best >= points[i][1]; });
      if (last_rank == best_second.size()) best_second.push_back(0);
      best_second[last_rank] = points[i][1];
    }
    ranks[i] = last_rank;
    last = &points[i];
  }
  return ranks;
}

}  // namespace

bool dominates(const Scores& a, const Scores& b) {
  bool better = false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] < b[i]) return false;
    better = better || a[i] > b[i];
  }
  return better;
}

std::vector<std::size_t> front_ranks(std::span<const Scores> points) {
  if (points.empty()) return {};
  if (points[0].size() == 2) return ranks_of_two(points);
  std::vector<std::size_t> ranks(points.size());
  std::vector<std::vector<std::size_t>> fronts;
  for (const std::size_t i : descending(points)) {
    const auto dominated = [&](const std::vector<std::size_t>& front) {
      return std::ranges::any_of(front, [&](std::size_t j) { return dominates(points[j], points[i]); });
    };
    ranks[i] = first_free(fronts, dominated);
    if (ranks[i] == fronts.size()) fronts.emplace_back();
    fronts[ranks[i]].push_back(i);
  }
  return ranks;
}

std::vector<std::size_t> pareto_front(std::span<const Scores> points) {
  std::vector<std::size_t> front;
  if (!points.empty() && points[0].size() == 2) {
    const std::vector<std::size_t> ranks = ranks_of_two(points);
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      if (ranks[i] == 0) front.push_back(i);
    }
    return front;
  }
  for (const std::size_t i : descending(points)) {
    const bool dominated = std::ranges::any_of(front, [&](std::size_t j) { return dominates(points[j], points[i]); });
    if (!dominated) front.push_back(i);
  }
  std::ranges::sort(front);
  return front;
}

std::vector<double> crowding_distances(std::span<const Scores> points, std::span<const std::size_t> ranks) {
  std::vector<double> distances(points.size(), 0);
  if (points.empty()) return distances;
  std::vector<std::vector<std::size_t>> fronts(*std::ranges::max_element(ranks) + 1);
  for (std::size_t i = 0; i < points.size(); ++i) fronts[ranks[i]].push_back(i);
  for (std::vector<std::size_t>& front : fronts) {
    for (std::size_t objective = 0; objective < points[0].size(); ++objective) {
      const auto value = [&](std::size_t place) { return points[front[place]][objective]; };
      std::ranges::stable_sort(front, {}, [&](std::size_t i) { return points[i][objective]; });
      const double extent = value(front.size() - 1) - value(0);
      distances[front.front()] = distances[front.back()] = std::numeric_limits<double>::infinity();
      for (std::size_t i = 1; extent > 0 && i + 1 < front.size(); ++i) {
        distances[front[i]] += (value(i + 1) - value(i - 1)) / extent;
      }
    }
  }
  return distances;
}

}  // namespace actforge
