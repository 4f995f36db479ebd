#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "tests/search/problems.h"
#include "tests/search/simulate_study.h"

namespace actforge {

inline constexpr std::string_view kSearchTarget = "softplus(x)*tanh(x)";

// A small space in which functions that are alike have like scores.
inline Space pairs() {
  return Space({.name = "pairs",
                .unary = tame_unary(),
                .binary = tame_binary(),
                .schemas = {"binary(unary(x),unary(x))", "unary(unary(x))"}});
}

// Trials until a function is as near as 0.05 to the target: the median of nine searches.
inline std::int64_t trials_to_target(std::string_view strategy, const Space& space) {
  std::vector<std::int64_t> needed;
  for (std::uint64_t seed = 1; seed <= 9; ++seed) {
    Simulation simulation = {.space = &space, .evaluate = Nearness(kSearchTarget), .seed = seed, .budget = 150};
    simulation.options = {
        {"pool", "0"}, {"candidates", "0"}, {"start", "relu(x), tanh(x), swish(x), elu(x), sigmoid(x), softsign(x)"}};
    simulation.stop = [](const Trial& trial) {
      return !trial.outcome.scores.empty() && trial.outcome.scores[0] > 1 / 1.05;
    };
    needed.push_back(run_study(strategy, simulation).size());
  }
  std::ranges::sort(needed);
  return needed[needed.size() / 2];
}

}  // namespace actforge
