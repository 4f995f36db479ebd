#include "actforge/search/strategies/pareto.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "actforge/base/random.h"
#include "actforge/search/strategies/ranking.h"

namespace actforge {
namespace {

// Few values: many ties and equal points.
std::vector<Scores> grid_points(std::size_t count, std::size_t objectives, std::uint64_t values, std::uint64_t seed) {
  Random random(seed);
  std::vector<Scores> points(count, Scores(objectives));
  for (Scores& point : points) {
    for (double& score : point) score = static_cast<double>(random.below(values));
  }
  return points;
}

// The definition: peel off what nothing left dominates.
std::vector<std::size_t> slow_ranks(const std::vector<Scores>& points) {
  constexpr std::size_t kNone = 1u << 30;
  std::vector<std::size_t> ranks(points.size(), kNone);
  for (std::size_t rank = 0, done = 0; done < points.size(); ++rank) {
    std::vector<std::size_t> front;
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (ranks[i] != kNone) continue;
      bool dominated = false;
      for (std::size_t j = 0; j < points.size(); ++j) {
        dominated = dominated || (ranks[j] == kNone && dominates(points[j], points[i]));
      }
      if (!dominated) front.push_back(i);
    }
    for (const std::size_t i : front) ranks[i] = rank;
    done += front.size();
  }
  return ranks;
}

TEST(Pareto, DominatesWhereNowhereWorseAndSomewhereBetter) {
  EXPECT_TRUE(dominates({1, 2}, {1, 1}));
  EXPECT_TRUE(dominates({2, 2}, {1, 1}));
  EXPECT_FALSE(dominates({1, 1}, {1, 1}));
  EXPECT_FALSE(dominates({2, 0}, {1, 1}));
  EXPECT_FALSE(dominates({1, 1}, {1, 2}));
}

TEST(Pareto, FrontsFollowTheDefinition) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    for (const std::size_t objectives : {1u, 2u, 3u, 4u}) {
      const auto points = grid_points(seed, objectives, seed % 2 == 0 ? 6 : 1000, seed);
      const auto wanted = slow_ranks(points);
      ASSERT_EQ(front_ranks(points), wanted) << objectives << " objectives, seed " << seed;
      std::vector<std::size_t> front;
      for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (wanted[i] == 0) front.push_back(i);
      }
      ASSERT_EQ(pareto_front(points), front) << objectives << " objectives, seed " << seed;
    }
  }
}

TEST(Pareto, ManyPointsTakeNoTime) {
  Random random(1);
  std::vector<Scores> points;
  // A narrow band around a falling line: long fronts, and many.
  for (int i = 0; i < 100'000; ++i) {
    const double x = random.uniform();
    points.push_back({x, 1 - x + 0.1 * random.uniform()});
  }
  const auto begin = std::chrono::steady_clock::now();
  const auto front = pareto_front(points);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  EXPECT_LT(seconds.count(), 5) << "a second and more only under sanitizers";
  EXPECT_GT(front.size(), 100u);
  for (std::size_t i = 0; i < points.size(); i += 97) {
    const bool on_front = std::ranges::binary_search(front, i);
    const bool dominated = std::ranges::any_of(front, [&](std::size_t j) { return dominates(points[j], points[i]); });
    ASSERT_NE(on_front, dominated) << i;
  }
}

TEST(Pareto, CrowdingIsTheGapBetweenNeighbours) {
  const std::vector<Scores> points = {{0, 10}, {1, 8}, {4, 5}, {10, 0}, {0, 0}};
  const auto ranks = front_ranks(points);
  EXPECT_EQ(ranks, (std::vector<std::size_t>{0, 0, 0, 0, 1}));
  const auto distances = crowding_distances(points, ranks);
  EXPECT_TRUE(std::isinf(distances[0]));
  EXPECT_DOUBLE_EQ(distances[1], 4.0 / 10 + 5.0 / 10);
  EXPECT_DOUBLE_EQ(distances[2], 9.0 / 10 + 8.0 / 10);
  EXPECT_TRUE(std::isinf(distances[3]));
  EXPECT_TRUE(std::isinf(distances[4])) << "alone on its front";
  const std::vector<Scores> equal(5, {1, 1});
  for (const double d : crowding_distances(equal, front_ranks(equal))) EXPECT_FALSE(std::isnan(d));
  EXPECT_TRUE(crowding_distances({}, {}).empty());
}

TrialLog log_of(const std::vector<Scores>& scores) {
  TrialLog log;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const auto number = static_cast<std::int64_t>(i);
    log.add({.number = number, .outcome = {.scores = scores[i]}, .finish_order = number});
  }
  return log;
}

TEST(Ranking, TheScoreDecidesWhereThereIsOneObjective) {
  const TrialLog log = log_of({{0.3, 9}, {0.9, 1}, {0.5, 5}, {0.9, 2}});
  const Ranking ranking(log, {3, 0, 1, 2}, 1);
  EXPECT_EQ(ranking.order(), (std::vector<std::size_t>{2, 0, 3, 1})) << "of 1 and 3, which are equal, 1 first";
  EXPECT_EQ(ranking.metric(1), 0.3);
  EXPECT_EQ(best_trials(log.trials(), 1), (std::vector<std::int64_t>{1, 3}));
}

TEST(Ranking, FrontThenCrowdingDecideWhereThereAreSeveral) {
  const TrialLog log = log_of({{0, 10}, {1, 8}, {4, 5}, {10, 0}, {0, 0}});
  const Ranking ranking(log, {0, 1, 2, 3, 4}, 2);
  EXPECT_EQ(ranking.order(), (std::vector<std::size_t>{0, 3, 2, 1, 4}));
  EXPECT_EQ(ranking.metric(2), 0);
  EXPECT_EQ(ranking.metric(4), -1);
  EXPECT_EQ(best_trials(log.trials(), 2), (std::vector<std::int64_t>{0, 1, 2, 3}));
}

TEST(Ranking, ResultsAreCompletedAndFinite) {
  const Trial good{.outcome = {.scores = {0.5, -1}}};
  EXPECT_TRUE(has_result(good, 1));
  EXPECT_TRUE(has_result(good, 2));
  EXPECT_FALSE(has_result(good, 3));
  EXPECT_FALSE(has_result({.outcome = {.scores = {NAN}}}, 1));
  EXPECT_TRUE(has_result({.outcome = {.scores = {0.5, NAN}}}, 1));
  EXPECT_FALSE(has_result({.outcome = {.scores = {0.5, -INFINITY}}}, 2));
  using enum TrialStatus;
  for (const TrialStatus status : {kQueued, kRunning, kStopped, kFailed, kQuarantined}) {
    EXPECT_FALSE(has_result({.outcome = {.status = status, .scores = {0.5}}}, 1));
  }
  EXPECT_EQ(best_trials({}, 2), std::vector<std::int64_t>());
}

}  // namespace
}  // namespace actforge
