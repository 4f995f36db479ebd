#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "actforge/search/maps/surrogate_map.h"
#include "actforge/search/strategies/strategy.h"

namespace actforge {

// What may be tried next by a strategy that predicts in a map: every function of the map that is new; in a joint search
// any function, with several hyperparameters that are drawn for this trial. Hyperparameters are coordinates beside
// those of the map; drawn ones vary as much as the map's do.
class MapChoices {
 public:
  // Of the trial with this number. `order` are functions of the map; of equally promising choices the first counts.
  // What is given stays as it is.
  MapChoices(const StrategySetup& setup, const SurrogateMap& map, const std::vector<std::size_t>& order,
             std::int64_t number);

  bool empty() const { return choices_.empty(); }
  std::size_t size() const { return choices_.size(); }
  const PooledFunction& function(std::size_t i) const { return map_.function(choices_[i].function); }
  Hyperparameters hyperparameters(std::size_t i) const;

  std::size_t width() const { return map_.places().width + setup_.hyperparameters.dimensions(); }
  // Where all of them are.
  Points places() const;
  // Adds a function's place in the map, with these hyperparameters, to points of this width.
  void add_place(Points& points, std::span<const float> place, const Hyperparameters& values) const;
  // The largest of these numbers, one for each choice, whose choice no trial has: drawn hyperparameters may have been
  // tried.
  std::optional<std::size_t> best_new(std::vector<double> promise) const;

 private:
  struct Choice {
    std::size_t function = 0;  // of the map
    std::uint64_t draw = 0;    // of the hyperparameters
  };

  const StrategySetup& setup_;
  const SurrogateMap& map_;
  std::uint64_t seed_;  // of the hyperparameters
  float spread_ = 1;    // of a hyperparameter's coordinate
  std::vector<Choice> choices_;
};

}  // namespace actforge
