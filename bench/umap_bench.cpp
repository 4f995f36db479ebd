// How long each step of UMAP takes, on data of the sizes that AQuaSurF has: 2,900 functions with 1,000 outputs and
// 13,692 numbers of histograms, and a space of hundreds of thousands of functions. Every answer is checked before it is
// timed. bench/umap_bench.py times umap-learn beside it.
//   bench_umap            the union of both kinds of features, and new points
//   bench_umap large N W  N points of W features, with neighbours by a graph
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include "actforge/base/random.h"
#include "actforge/surrogate/distances.h"
#include "actforge/surrogate/quality.h"
#include "actforge/surrogate/spectral_layout.h"
#include "actforge/surrogate/transform.h"
#include "actforge/surrogate/umap.h"

namespace {

using namespace actforge;

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "umap_bench: %s\n", what.c_str());
  std::exit(1);
}

template <class Step>
auto timed(const char* name, Step step) {
  const auto start = std::chrono::steady_clock::now();
  const std::clock_t busy = std::clock();  // of all threads: on a busy machine this is what can be compared
  auto result = step();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  const double processor = static_cast<double>(std::clock() - busy) / CLOCKS_PER_SEC;
  std::printf("%-44s %9.3f s, %9.3f s of processor time\n", name, seconds.count(), processor);
  std::fflush(stdout);
  return result;
}

// What makes function i.
std::array<double, 5> parameters(std::size_t i) {
  Random random(1, i, "bench function");
  std::array<double, 5> result;
  for (double& parameter : result) parameter = random.normal();
  return result;
}

// Smooth functions, sampled like the outputs of activation functions.
Points functions(std::size_t count, std::size_t samples) {
  Random random(1, 0, "bench inputs");
  std::vector<double> inputs(samples);
  for (double& x : inputs) x = random.normal();
  Points points(count, samples);
  for (std::size_t i = 0; i < count; ++i) {
    const auto p = parameters(i);
    const std::span<float> row = points.row(i);
    for (std::size_t k = 0; k < samples; ++k) {
      const double x = inputs[k];
      row[k] = static_cast<float>(p[0] * std::tanh(p[1] * x) + p[2] * std::fmax(x, 0) + p[3] / (1 + x * x) + p[4] * x);
    }
  }
  return points;
}

// Narrow histograms that depend on the same parameters.
Points histograms(std::size_t count, std::size_t bins) {
  Points points(count, bins);
  for (std::size_t i = 0; i < count; ++i) {
    const auto p = parameters(i);
    const double centre = 0.5 + 0.3 * std::tanh(p[0] + p[2]), width = 0.02 + 0.01 * std::tanh(p[4]);
    const std::span<float> row = points.row(i);
    for (std::size_t k = 0; k < bins; ++k) {
      const double z = (static_cast<double>(k) / static_cast<double>(bins) - centre) / width;
      row[k] = static_cast<float>(std::exp(-z * z / 2));
    }
  }
  return points;
}

void check_neighbours(const NeighbourLists& lists, PointsView points, Metric metric, double least_recall) {
  std::size_t found = 0, all = 0;
  for (std::size_t i = 0; i < points.count; i += std::max<std::size_t>(1, points.count / 50)) {
    const NeighbourLists exact = neighbours_of(points.rows(i, 1), points, {.metric = metric, .size = lists.size});
    for (std::size_t j = 0; j < lists.size; ++j) {
      // As near as the true one, whichever point it is.
      found += static_cast<double>(lists.distances(i)[j]) <= static_cast<double>(exact.distances(0)[j]) * (1 + 1e-5);
      ++all;
    }
  }
  const double recall = static_cast<double>(found) / static_cast<double>(all);
  std::printf("%-44s %9.4f\n", "  neighbours as near as the true ones", recall);
  if (recall < least_recall) fail("too few neighbours found");
}

void bench_union() {
  const Points outputs = functions(2900, 1000), eigenvalues = histograms(2900, 13'692);
  const auto start = std::chrono::steady_clock::now();
  const NeighbourOptions of_outputs = {.metric = Metric::kEuclidean, .size = 15},
                         of_eigenvalues = {.metric = Metric::kManhattan, .size = 3};
  const NeighbourLists near_outputs =
      timed("neighbours, 1,000 Euclidean features", [&] { return neighbours_among(outputs, of_outputs); });
  const NeighbourLists near_eigenvalues =
      timed("neighbours, 13,692 Manhattan features", [&] { return neighbours_among(eigenvalues, of_eigenvalues); });
  const FuzzyGraph graph = timed("graphs and their union", [&] {
    return combine_graphs(fuzzy_graph(near_eigenvalues), fuzzy_graph(near_outputs), Combination::kUnion);
  });
  timed("spectral start alone", [&] { return spectral_layout(graph, {}); });
  const Points embedding = timed("spectral start and layout", [&] { return umap_layout(graph); });
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  std::printf("%-44s %9.3f s, spectral start counted twice\n", "union of 2,900 points", seconds.count());
  timed("a new function: two kinds of features, place", [&] {
    const PointsView one = PointsView(outputs).rows(7, 1), other = PointsView(eigenvalues).rows(8, 1);
    return place_new_points(
        combine_new_edges(new_edges(neighbours_of(one, outputs, of_outputs)),
                          new_edges(neighbours_of(other, eigenvalues, of_eigenvalues)), Combination::kUnion),
        embedding);
  });
  check_neighbours(near_outputs, outputs, Metric::kEuclidean, 1);
  check_neighbours(near_eigenvalues, eigenvalues, Metric::kManhattan, 1);
  if (umap_layout(graph, {.run = {.threads = 1}}).values != embedding.values) fail("threads change the embedding");
  const double kept = trustworthiness(distances_among(outputs, Metric::kEuclidean), embedding, 15);
  std::printf("%-44s %9.4f\n", "  trustworthiness for the outputs", kept);
  if (kept < 0.75) fail("the embedding does not fit the outputs");
}

void bench_large(std::size_t count, std::size_t width) {
  const Points points = timed("making points", [&] { return functions(count, width); });
  const NeighbourLists near =
      timed("neighbours, by a graph", [&] { return neighbours_among(points, {.exact_limit = 0}); });
  check_neighbours(near, points, Metric::kEuclidean, 0.9);
  const FuzzyGraph graph = timed("fuzzy graph", [&] { return fuzzy_graph(near); });
  timed("spectral start alone", [&] { return spectral_layout(graph, {}); });
  timed("spectral start and layout", [&] { return umap_layout(graph); });
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 4 && std::string(argv[1]) == "large") {
    bench_large(std::stoul(argv[2]), std::stoul(argv[3]));
  } else {
    bench_union();
  }
  return 0;
}
