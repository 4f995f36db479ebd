#include "actforge/search/strategies/map_choices.h"

#include <algorithm>
#include <cmath>

#include "actforge/search/strategies/fresh.h"

namespace actforge {
namespace {

constexpr std::uint64_t kDraws = 4;  // of hyperparameters, for each function

// What the coordinates of drawn hyperparameters are multiplied by to vary as much as those of the map.
float spread_of(PointsView map) {
  double squares = 0;
  for (std::size_t k = 0; k < map.width; ++k) {
    double sum = 0, square = 0;
    for (std::size_t i = 0; i < map.count; ++i) {
      const auto value = static_cast<double>(map.row(i)[k]);
      sum += value;
      square += value * value;
    }
    const auto count = static_cast<double>(map.count);
    squares += square / count - sum / count * sum / count;
  }
  constexpr double kUniform = 1.0 / 12;  // the variance of a number from 0 to 1
  const double spread = std::sqrt(squares / static_cast<double>(map.width) / kUniform);
  return spread > 0 ? static_cast<float>(spread) : 1;
}

std::uint64_t seed_of(const StrategySetup& setup, std::int64_t number) {
  return Random(setup.run.seed, static_cast<std::uint64_t>(number), "hyperparameters of choices").next();
}

}  // namespace

MapChoices::MapChoices(const StrategySetup& setup, const SurrogateMap& map, const std::vector<std::size_t>& order,
                       std::int64_t number)
    : setup_(setup), map_(map), seed_(seed_of(setup, number)) {
  const bool is_joint = !setup.hyperparameters.empty();
  if (is_joint) spread_ = spread_of(map.places());
  for (const std::size_t i : order) {
    if (!is_joint && setup.log->find(map.function(i).key)) continue;
    for (std::uint64_t draw = 0; draw < (is_joint ? kDraws : 1); ++draw) choices_.push_back({i, draw});
  }
}

Hyperparameters MapChoices::hyperparameters(std::size_t i) const {
  Random random(seed_, kDraws * choices_[i].function + choices_[i].draw);
  return setup_.hyperparameters.draw(random);
}

Points MapChoices::places() const {
  Points points(0, width());
  points.values.reserve(size() * width());
  for (std::size_t i = 0; i < size(); ++i)
    add_place(points, map_.places().row(choices_[i].function), hyperparameters(i));
  return points;
}

void MapChoices::add_place(Points& points, std::span<const float> place, const Hyperparameters& values) const {
  points.values.insert(points.values.end(), place.begin(), place.end());
  for (const float coordinate : setup_.hyperparameters.coordinates(values)) {
    points.values.push_back(spread_ * coordinate);
  }
  ++points.count;
}

std::optional<std::size_t> MapChoices::best_new(std::vector<double> promise) const {
  for (std::size_t i = 0; i < size(); ++i) {
    const auto best = std::ranges::max_element(promise);
    const auto place = static_cast<std::size_t>(best - promise.begin());
    if (!setup_.log->find(joint_key(function(place).key, hyperparameters(place)))) return place;
    *best = -INFINITY;
  }
  return std::nullopt;
}

}  // namespace actforge
