// What the comparison with umap-learn and scikit-learn asks for (umap_learn_test.py). Files of numbers begin with their
// rows and columns as 64-bit numbers; the numbers are floats, row after row.
//   umap_tool graph METRIC NEIGHBOURS FEATURES OUT
//   umap_tool combine union|intersection METRIC NEIGHBOURS FEATURES METRIC NEIGHBOURS FEATURES OUT
//   umap_tool embed DIMENSIONS SEED METRIC NEIGHBOURS FEATURES OUT
//   umap_tool embed-union DIMENSIONS SEED METRIC NEIGHBOURS FEATURES METRIC NEIGHBOURS FEATURES OUT
//   umap_tool transform SEED METRIC NEIGHBOURS FEATURES EMBEDDING NEW_FEATURES OUT
//   umap_tool predict REGRESSOR SEED POINTS VALUES OTHER_POINTS OUT
//   umap_tool beliefs POINTS VALUES OTHER_POINTS OUT
// A graph is written as rows of (from, to, strength).
#include <cstdint>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "actforge/base/error.h"
#include "actforge/surrogate/gaussian_process.h"
#include "actforge/surrogate/regressor.h"
#include "actforge/surrogate/transform.h"
#include "actforge/surrogate/umap.h"

namespace {

using namespace actforge;
using Words = std::vector<std::string>;

Points read_points(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::uint64_t shape[2] = {};
  file.read(reinterpret_cast<char*>(shape), sizeof shape);
  Points points(shape[0], shape[1]);
  file.read(reinterpret_cast<char*>(points.values.data()),
            static_cast<std::streamsize>(points.values.size() * sizeof(float)));
  if (!file) throw Error(ErrorCode::kBadInput, "cannot read " + path);
  return points;
}

void write_points(const std::string& path, const Points& points) {
  std::ofstream file(path, std::ios::binary);
  const std::uint64_t shape[2] = {points.count, points.width};
  file.write(reinterpret_cast<const char*>(shape), sizeof shape);
  file.write(reinterpret_cast<const char*>(points.values.data()),
             static_cast<std::streamsize>(points.values.size() * sizeof(float)));
  if (!file) throw Error(ErrorCode::kFailed, "cannot write " + path);
}

void write_graph(const std::string& path, const FuzzyGraph& graph) {
  Points rows(graph.edges(), 3);
  for (std::size_t i = 0; i < graph.count; ++i) {
    for (std::size_t e = graph.begin[i]; e < graph.begin[i + 1]; ++e) {
      const std::span<float> row = rows.row(e);
      row[0] = static_cast<float>(i);
      row[1] = static_cast<float>(graph.neighbour[e]);
      row[2] = graph.strength[e];
    }
  }
  write_points(path, rows);
}

std::vector<double> read_values(const std::string& path) {
  const Points points = read_points(path);
  return {points.values.begin(), points.values.end()};
}

Points column(const std::vector<double>& values) {
  Points points(values.size(), 1);
  for (std::size_t i = 0; i < values.size(); ++i) points.values[i] = static_cast<float>(values[i]);
  return points;
}

// METRIC NEIGHBOURS FEATURES, from words[at] on.
FuzzyGraph graph_of(const Words& words, std::size_t at) {
  const NeighbourOptions options = {.metric = find_metric(words.at(at)), .size = std::stoul(words.at(at + 1))};
  return fuzzy_graph(neighbours_among(read_points(words.at(at + 2)), options));
}

UmapOptions options_of(const Words& words) {
  return {.dimensions = std::stoul(words.at(1)), .run = {.seed = std::stoul(words.at(2))}};
}

void run(const Words& words) {
  const std::string& verb = words.at(0);
  const std::string& out = words.back();
  if (verb == "graph") {
    write_graph(out, graph_of(words, 1));
  } else if (verb == "combine") {
    const Combination how = words.at(1) == "union" ? Combination::kUnion : Combination::kIntersection;
    write_graph(out, combine_graphs(graph_of(words, 2), graph_of(words, 5), how));
  } else if (verb == "embed") {
    write_points(out, umap_layout(graph_of(words, 3), options_of(words)));
  } else if (verb == "embed-union") {
    write_points(out, umap_layout(combine_graphs(graph_of(words, 3), graph_of(words, 6), Combination::kUnion),
                                  options_of(words)));
  } else if (verb == "transform") {
    const NeighbourOptions nearest = {.metric = find_metric(words.at(2)), .size = std::stoul(words.at(3))};
    write_points(out, transform(read_points(words.at(6)), read_points(words.at(4)), read_points(words.at(5)), nearest,
                                {.run = {.seed = std::stoul(words.at(1))}}));
  } else if (verb == "predict") {
    const auto regressor = find_regressor(words.at(1)).make({.seed = std::stoul(words.at(2))});
    regressor->fit(read_points(words.at(3)), read_values(words.at(4)));
    write_points(out, column(regressor->predict(read_points(words.at(5)))));
  } else if (verb == "beliefs") {
    GaussianProcess process;
    process.fit(read_points(words.at(1)), read_values(words.at(2)));
    Points rows(0, 2);
    for (const Belief& belief : process.believe(read_points(words.at(3)))) {
      rows.values.insert(rows.values.end(),
                         {static_cast<float>(belief.mean), static_cast<float>(belief.deviation.value())});
      ++rows.count;
    }
    write_points(out, rows);
  } else {
    throw Error(ErrorCode::kUsage, "unknown verb " + verb);
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run(Words(argv + 1, argv + argc));
    return 0;
  } catch (const std::exception& problem) {
    std::cerr << "umap_tool: " << problem.what() << '\n';
    return 1;
  }
}
