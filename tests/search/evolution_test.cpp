// Evolution on problems with a known answer.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/search/problems.h"
#include "tests/search/simulate_study.h"

namespace actforge {
namespace {

constexpr const char* kTarget = "max(sigmoid(x),add(softplus(x),tanh(softplus(x))))";

double score(const Trial& trial) { return trial.outcome.scores.empty() ? -1e9 : trial.outcome.scores[0]; }

template <class Measure>
auto median(Measure measure) {
  std::vector<decltype(measure(std::uint64_t{0}))> values;
  for (std::uint64_t seed = 1; seed <= 11; ++seed) values.push_back(measure(seed));
  std::ranges::nth_element(values, values.begin() + 5);
  return values[5];
}

// Trials until one is as near as 0.05, of `most` in all.
std::int64_t median_trials(const char* strategy, const Space& space, std::int64_t most) {
  return median([&](std::uint64_t seed) {
    Simulation simulation = {.space = &space, .evaluate = Nearness(kTarget), .seed = seed, .budget = most};
    simulation.stop = [](const Trial& trial) { return score(trial) >= 1 / 1.05; };
    return run_study(strategy, simulation).size();
  });
}

// Medians with these seeds: 195 for pangaea, 4,059 for random.
TEST(Evolution, PangaeaFindsTheTargetInFarFewerTrialsThanRandomSearch) {
  const Space space = tame_graphs(6);
  const std::int64_t pangaea = median_trials("pangaea", space, 4000), random = median_trials("random", space, 8000);
  RecordProperty("pangaea", static_cast<int>(pangaea));
  RecordProperty("random", static_cast<int>(random));
  EXPECT_LT(5 * pangaea, random);
  EXPECT_EQ(median_trials("mutation", space, 1000), 1000) << "selection must matter";
}

// The distances of the functions that the last generation bred, as a share of those of the first, random one. An
// average over each generation; of a loss, since by accuracy CAFE hardly selects. Medians with these seeds: 0.58, and
// 0.89 where all scores are nearly equal.
TEST(Evolution, CafesGenerationsComeNearer) {
  const Space space = tame_trees();
  const auto share_left = [&](double scale) {
    return median([&](std::uint64_t seed) {
      const Nearness nearness("add(relu(mul(tanh(x),abs(x))),sin(max(erf(x),abs(x))))");
      Simulation simulation = {.space = &space, .seed = seed, .workers = 5};
      simulation.evaluate = [&](const Trial& trial) {
        return TrialOutcome{.scores = {scale * (1 - 1 / nearness(trial).scores[0])}};
      };
      const SimulatedStudy study = run_study("cafe", simulation);
      double first = 0, last = 0, first_count = 0, last_count = 0;
      for (const Trial& trial : study.log().trials()) {
        if (trial.plan.generation == 0) first += score(trial), ++first_count;
        if (trial.plan.generation == 9 && trial.plan.origin == "cross") last += score(trial), ++last_count;
      }
      return (last / last_count) / (first / first_count);
    });
  };
  const double selected = share_left(10), unselected = share_left(1e-6);
  RecordProperty("selected", std::to_string(selected));
  RecordProperty("unselected", std::to_string(unselected));
  EXPECT_LT(selected, 0.7);
  EXPECT_GT(unselected, 0.7);
}

}  // namespace
}  // namespace actforge
