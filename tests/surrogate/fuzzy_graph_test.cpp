#include "actforge/surrogate/fuzzy_graph.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "actforge/base/error.h"
#include "actforge/surrogate/combine_graphs.h"
#include "tests/surrogate/problems.h"

namespace actforge {
namespace {

using Dense = std::vector<std::vector<double>>;

Dense zeros(std::size_t n) { return Dense(n, std::vector<double>(n)); }

Dense dense(const FuzzyGraph& graph) {
  Dense result = zeros(graph.count);
  for (std::size_t i = 0; i < graph.count; ++i) {
    for (std::size_t e = 0; e < graph.neighbours(i).size(); ++e) {
      EXPECT_TRUE(e == 0 || graph.neighbours(i)[e - 1] < graph.neighbours(i)[e]);
      result[i][graph.neighbours(i)[e]] = static_cast<double>(graph.strengths(i)[e]);
    }
  }
  return result;
}

void expect_near(const FuzzyGraph& graph, const Dense& expected) {
  const Dense actual = dense(graph);
  for (std::size_t i = 0; i < actual.size(); ++i) {
    for (std::size_t j = 0; j < actual.size(); ++j) ASSERT_NEAR(actual[i][j], expected[i][j], 2e-5) << i << " " << j;
  }
}

// The paper's definition for points without ties or duplicates: rho is the distance to the nearest other point, and
// sigma solves sum exp(-(d-rho)/sigma) = log2(k), by plain bisection.
Dense defined_graph(const NeighbourLists& near) {
  Dense view = zeros(near.count);
  for (std::size_t i = 0; i < near.count; ++i) {
    const auto d = [&](std::size_t j) { return static_cast<double>(near.distances(i)[j]); };
    const auto strength = [&](std::size_t j, double sigma) { return std::exp(-(d(j) - d(1)) / sigma); };
    double low = 0, high = 1e6;
    for (int step = 0; step < 200; ++step) {
      const double middle = (low + high) / 2;
      double sum = 0;
      for (std::size_t j = 1; j < near.size; ++j) sum += strength(j, middle);
      (sum > std::log2(static_cast<double>(near.size)) ? high : low) = middle;
    }
    for (std::size_t j = 1; j < near.size; ++j) view[i][near.indices(i)[j]] = strength(j, high);
  }
  Dense result = zeros(near.count);
  for (std::size_t i = 0; i < near.count; ++i) {
    for (std::size_t j = 0; j < near.count; ++j) result[i][j] = view[i][j] + view[j][i] - view[i][j] * view[j][i];
  }
  return result;
}

TEST(FuzzyGraph, IsThatOfTheDefinition) {
  for (const std::size_t size : {5, 15}) {
    const NeighbourLists near = neighbours_among(random_points(120, 4), {.size = size});
    expect_near(fuzzy_graph(near), defined_graph(near));
  }
}

TEST(FuzzyGraph, OfConstantFeaturesHasFullStrengthEverywhere) {
  const FuzzyGraph graph = fuzzy_graph(neighbours_among(Points::of(3, std::vector<float>(60, 7)), {.size = 5}));
  EXPECT_GT(graph.edges(), 0u);
  for (const float strength : graph.strength) EXPECT_EQ(strength, 1);
}

TEST(FuzzyGraph, OfDuplicatesLinksThemFully) {
  Points points = random_points(100, 4);
  std::copy_n(points.row(0).begin(), 4, points.row(50).begin());
  EXPECT_EQ(dense(fuzzy_graph(neighbours_among(points, {})))[0][50], 1);
}

TEST(FuzzyGraph, OfFewPoints) {
  EXPECT_EQ(fuzzy_graph(neighbours_among(random_points(0, 2), {})).count, 0u);
  EXPECT_EQ(fuzzy_graph(neighbours_among(random_points(1, 2), {})).edges(), 0u);
  EXPECT_EQ(fuzzy_graph(neighbours_among(random_points(2, 2), {})).strength, (std::vector<float>{1, 1}));
}

TEST(LocalScales, InterpolateWhereConnectivityIsNoWholeNumber) {
  const NeighbourLists near = {.count = 1, .size = 4, .index = {0, 1, 2, 3}, .distance = {0, 1, 3, 4}};
  EXPECT_FLOAT_EQ(local_scales(near, {.local_connectivity = 0}).rho[0], 0);
  EXPECT_FLOAT_EQ(local_scales(near, {.local_connectivity = 0.5}).rho[0], 0.5);
  EXPECT_FLOAT_EQ(local_scales(near, {.local_connectivity = 1.5}).rho[0], 2);
  EXPECT_FLOAT_EQ(local_scales(near, {.local_connectivity = 9}).rho[0], 4);
}

// Both graphs as full matrices, absent edges filled in, rows rescaled and raised to their powers.
Dense defined_combination(const Dense& a, const Dense& b, Combination how) {
  const auto absent = [](const Dense& m) {
    double least = 1;
    for (const auto& row : m) {
      for (const double x : row) least = x > 0 ? std::min(least, x) : least;
    }
    return least / 2;
  };
  const double no_a = absent(a), no_b = how == Combination::kUnion ? absent(b) : std::min(1e-4, absent(b));
  Dense view = zeros(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    double most = 0;
    for (std::size_t j = 0; j < a.size(); ++j) {
      if (a[i][j] == 0 && b[i][j] == 0) continue;
      const double x = a[i][j] > 0 ? a[i][j] : no_a, y = b[i][j] > 0 ? b[i][j] : no_b;
      // Some rows hold more ones than they may add up to: their power is the largest, 2^32, and all but the ones
      // vanish. Which are ones is a matter of single precision.
      view[i][j] = static_cast<double>(static_cast<float>(how == Combination::kUnion ? x + y - x * y : x * y));
      most = std::max(most, view[i][j]);
    }
    double low = 0, high = 0x1p32;
    for (int step = 0; step < 200; ++step) {
      const double power = (low + high) / 2;
      double sum = 0;
      for (const double x : view[i]) sum += x > 0 ? std::pow(x / most, power) : 0;
      (sum < std::log2(15.0) ? high : low) = power;
    }
    for (double& x : view[i]) x = x > 0 ? std::pow(x / most, low) : 0;
  }
  Dense result = zeros(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < a.size(); ++j) result[i][j] = view[i][j] + view[j][i] - view[i][j] * view[j][i];
  }
  return result;
}

TEST(CombineGraphs, IsThatOfTheDefinition) {
  const FuzzyGraph a = fuzzy_graph(neighbours_among(random_points(100, 4, 1), {.size = 15}));
  const FuzzyGraph b = fuzzy_graph(neighbours_among(random_points(100, 9, 2), {.size = 6}));
  for (const Combination how : {Combination::kUnion, Combination::kIntersection}) {
    expect_near(combine_graphs(a, b, how), defined_combination(dense(a), dense(b), how));
  }
}

TEST(CombineGraphs, OfDifferentSizesAreRefused) {
  const FuzzyGraph a = fuzzy_graph(neighbours_among(random_points(10, 4), {}));
  const FuzzyGraph b = fuzzy_graph(neighbours_among(random_points(11, 4), {}));
  EXPECT_THROW(combine_graphs(a, b, Combination::kUnion), Error);
}

TEST(CombineGraphs, WithAnEmptyGraphKeepsTheOther) {
  const FuzzyGraph a = fuzzy_graph(neighbours_among(random_points(30, 4), {.size = 5}));
  const FuzzyGraph none = fuzzy_graph(neighbours_among(random_points(30, 4), {.size = 1}));
  EXPECT_EQ(none.edges(), 0u);
  const FuzzyGraph both = combine_graphs(a, none, Combination::kUnion);
  EXPECT_EQ(both.neighbour, a.neighbour);
  for (const float strength : both.strength) EXPECT_TRUE(strength > 0 && strength <= 1);
}

}  // namespace
}  // namespace actforge
