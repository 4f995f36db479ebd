#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "actforge/surrogate/components.h"
#include "actforge/surrogate/spectral_layout.h"
#include "actforge/surrogate/spectral_modes.h"
#include "tests/surrogate/problems.h"

namespace actforge {
namespace {

FuzzyGraph ring(std::size_t count) {
  FuzzyGraph graph = {.count = count, .begin = {0}};
  for (std::size_t i = 0; i < count; ++i) {
    const auto before = static_cast<std::uint32_t>((i + count - 1) % count);
    const auto after = static_cast<std::uint32_t>((i + 1) % count);
    graph.neighbour.push_back(std::min(before, after));
    graph.neighbour.push_back(std::max(before, after));
    graph.strength.insert(graph.strength.end(), {0.5F, 0.5F});
    graph.begin.push_back(graph.neighbour.size());
  }
  return graph;
}

// v'Lv of column `mode`, and how far Lv is from that times v.
struct Checked {
  double eigenvalue;
  double residual;
};
Checked check_mode(const FuzzyGraph& graph, const std::vector<double>& modes, std::size_t count, std::size_t mode) {
  std::vector<double> degree(graph.count), product(graph.count);
  for (std::size_t i = 0; i < graph.count; ++i) {
    for (const float strength : graph.strengths(i)) degree[i] += static_cast<double>(strength);
  }
  double eigenvalue = 0, residual = 0, norm = 0, trivial = 0;
  for (std::size_t i = 0; i < graph.count; ++i) {
    product[i] = modes[i * count + mode];
    for (std::size_t e = 0; e < graph.neighbours(i).size(); ++e) {
      const std::size_t j = graph.neighbours(i)[e];
      product[i] -=
          static_cast<double>(graph.strengths(i)[e]) / std::sqrt(degree[i] * degree[j]) * modes[j * count + mode];
    }
    eigenvalue += modes[i * count + mode] * product[i];
    norm += modes[i * count + mode] * modes[i * count + mode];
    trivial += modes[i * count + mode] * std::sqrt(degree[i]);
  }
  EXPECT_NEAR(norm, 1, 1e-9);
  EXPECT_NEAR(trivial, 0, 1e-6);
  for (std::size_t i = 0; i < graph.count; ++i) {
    const double off = product[i] - eigenvalue * modes[i * count + mode];
    residual += off * off;
  }
  return {eigenvalue, std::sqrt(residual)};
}

// A ring of n has eigenvalues 1 - cos(2 pi k/n), each twice.
TEST(SpectralModes, OfARingAreWaves) {
  for (const std::size_t count : {20, 256, 300, 700}) {
    const FuzzyGraph graph = ring(count);
    const std::vector<double> modes = slowest_modes(graph, {.count = 4});
    for (std::size_t mode = 0; mode < 4; ++mode) {
      const std::size_t full_turns = 1 + mode / 2;
      const double turns = static_cast<double>(full_turns) / static_cast<double>(count);
      const Checked checked = check_mode(graph, modes, 4, mode);
      EXPECT_NEAR(checked.eigenvalue, 1 - std::cos(2 * std::numbers::pi * turns), 2e-5);
      EXPECT_LT(checked.residual, 2e-4);
    }
  }
}

TEST(SpectralModes, AreTheSameOnAnyNumberOfThreads) {
  const FuzzyGraph graph = fuzzy_graph(neighbours_among(random_points(9000, 3), {.exact_limit = 10'000}));
  const std::vector<double> modes = slowest_modes(graph, {.count = 5, .run = {.threads = 1}});
  for (std::size_t mode = 0; mode < 5; ++mode) EXPECT_LT(check_mode(graph, modes, 5, mode).residual, 2e-4);
  for (const std::size_t threads : {2, 3})
    EXPECT_EQ(slowest_modes(graph, {.count = 5, .run = {.threads = threads}}), modes);
}

TEST(Components, AreTheConnectedParts) {
  const FuzzyGraph graph = fuzzy_graph(neighbours_among(balls(3, 20, 4), {.size = 10}));
  const auto parts = connected_components(graph);
  ASSERT_EQ(parts.size(), 3u);
  for (std::size_t p = 0; p < 3; ++p) {
    ASSERT_EQ(parts[p].size(), 20u);
    for (std::size_t i = 0; i < 20; ++i) EXPECT_EQ(parts[p][i], 20 * p + i);
    EXPECT_EQ(subgraph(graph, parts[p]).edges(), graph.begin[20 * p + 20] - graph.begin[20 * p]);
  }
}

TEST(SpectralLayout, KeepsPartsApart) {
  for (const std::size_t dimensions : {1, 2, 3}) {
    const Points layout =
        spectral_layout(fuzzy_graph(neighbours_among(balls(7, 20, 4), {.size = 10})), {.dimensions = dimensions});
    float most = 0;
    for (const float value : layout.values) most = std::max(most, std::fabs(value));
    EXPECT_NEAR(static_cast<double>(most), 10, 0.01);
    // Squares of different parts do not overlap, so that some coordinate tells any two points of two parts apart.
    for (std::size_t i = 0; i < layout.count; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        float apart = 0;
        for (std::size_t d = 0; d < dimensions; ++d) {
          apart = std::max(apart, std::fabs(layout.row(i)[d] - layout.row(j)[d]));
        }
        ASSERT_TRUE(i / 20 == j / 20 || apart > 0.05F);
      }
    }
  }
}

TEST(SpectralLayout, OfAnythingIsFinite) {
  for (const std::size_t count : {1, 2, 3, 4, 5}) {
    const FuzzyGraph graph = fuzzy_graph(neighbours_among(random_points(count, 3), {}));
    for (const float value : spectral_layout(graph, {.dimensions = 3}).values) EXPECT_TRUE(std::isfinite(value));
  }
  // Points without any edge.
  const FuzzyGraph lonely = fuzzy_graph(neighbours_among(random_points(10, 3), {.size = 1}));
  for (const float value : spectral_layout(lonely, {}).values) EXPECT_TRUE(std::isfinite(value));
}

}  // namespace
}  // namespace actforge
