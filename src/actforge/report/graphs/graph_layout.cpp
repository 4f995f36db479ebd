#include "actforge/report/graphs/graph_layout.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "actforge/report/graphs/graph_chains.h"
#include "actforge/report/graphs/graph_column.h"

namespace actforge {
namespace {

// How many nodes above each place between rows are used below it.
std::vector<int> count_crossings(const GraphChains& graph) {
  std::vector<int> crossings(graph.rows + 1, 0);
  for (std::size_t node = 0; node < graph.level.size(); ++node) {
    ++crossings[graph.level[node]];
    --crossings[std::max(graph.level[node], graph.last_use[node])];
  }
  for (std::size_t row = 1; row < crossings.size(); ++row) crossings[row] += crossings[row - 1];
  return crossings;  // [row]: between that row and the next
}

// The rows at which columns begin, the end included.
std::vector<std::size_t> fold(const GraphChains& graph, std::size_t columns) {
  constexpr double kFreedom = 0.3;  // of a column's rows, either way
  const std::vector<int> crossings = count_crossings(graph);
  std::vector<std::size_t> begins = {0};
  for (std::size_t left = columns; left > 1; --left) {
    const double share = static_cast<double>(graph.rows - begins.back()) / static_cast<double>(left);
    const auto around = [&](double factor) {
      return begins.back() + static_cast<std::size_t>(std::max(1.0, share * factor));
    };
    std::size_t best = around(1);
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t at = around(1 - kFreedom); at <= around(1 + kFreedom) && at < graph.rows; ++at) {
      const double distance = std::abs(static_cast<double>(at) - static_cast<double>(around(1)));
      const double cost = crossings[at - 1] + distance / (share + 1);
      if (cost >= least) continue;
      least = cost;
      best = at;
    }
    if (best >= graph.rows) break;
    begins.push_back(best);
  }
  begins.push_back(graph.rows);
  return begins;
}

}  // namespace

std::size_t graph_rows(const GraphInputs& inputs) { return find_chains(inputs).rows; }

GraphLayout lay_out_graph(const GraphInputs& inputs, std::size_t columns) {
  GraphLayout layout;
  if (inputs.empty()) return layout;
  const GraphChains graph = find_chains(inputs);
  const std::vector<std::size_t> begins = fold(graph, std::clamp<std::size_t>(columns, 1, graph.rows));
  layout.places.resize(inputs.size());
  ColumnSignals above;
  for (std::size_t c = 0; c + 1 < begins.size(); ++c) {
    ColumnLayout column(graph, begins[c], begins[c + 1]);
    for (const auto& [node, place] : column.places()) layout.places[node] = {c, place.row, place.lane};
    if (c > 0) {
      for (const auto& [node, exit] : above) {
        layout.columns.back().crossings.push_back({exit, column.entries().at(node)});
      }
    }
    above = column.exits();
    layout.columns.push_back(column.finish());
  }
  return layout;
}

}  // namespace actforge
