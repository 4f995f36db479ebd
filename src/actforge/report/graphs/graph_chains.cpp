#include "actforge/report/graphs/graph_chains.h"

#include <algorithm>

namespace actforge {
namespace {

void find_users(const GraphInputs& inputs, GraphChains& graph) {
  graph.users.resize(inputs.size());
  for (std::size_t node = 0; node < inputs.size(); ++node) {
    for (const std::size_t input : inputs[node]) {
      std::vector<std::size_t>& users = graph.users[input];
      if (users.empty() || users.back() != node) users.push_back(node);  // x*x is one line
    }
  }
}

void find_levels(const GraphInputs& inputs, GraphChains& graph) {
  graph.level.assign(inputs.size(), 0);
  for (std::size_t node = 0; node < inputs.size(); ++node) {
    for (const std::size_t input : inputs[node]) {
      graph.level[node] = std::max(graph.level[node], graph.level[input] + 1);
    }
    graph.rows = std::max(graph.rows, graph.level[node] + 1);
  }
}

// What takes nothing stands just above its first user. That of the trunk does already.
void lower_roots(const GraphInputs& inputs, GraphChains& graph) {
  for (std::size_t node = 0; node < inputs.size(); ++node) {
    if (!inputs[node].empty() || graph.users[node].empty()) continue;
    std::size_t first = graph.rows;
    for (const std::size_t user : graph.users[node]) first = std::min(first, graph.level[user]);
    graph.level[node] = first - 1;
  }
}

void find_last_uses(const GraphInputs& inputs, GraphChains& graph) {
  graph.last_use = graph.level;
  for (std::size_t node = 0; node < inputs.size(); ++node) {
    for (const std::size_t user : graph.users[node]) {
      graph.last_use[node] = std::max(graph.last_use[node], graph.level[user]);
    }
  }
}

// The trunk, from its end up; of several inputs in the row above, the first.
void find_trunk(const GraphInputs& inputs, GraphChains& graph) {
  std::size_t node = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (graph.level[i] + 1 == graph.rows) node = i;
  }
  graph.chain[node] = 0;
  while (graph.level[node] > 0) {
    const auto above = std::find_if(inputs[node].begin(), inputs[node].end(),
                                    [&](std::size_t input) { return graph.level[input] + 1 == graph.level[node]; });
    graph.successor[*above] = node;
    graph.chain[*above] = 0;
    node = *above;
  }
}

}  // namespace

GraphChains find_chains(const GraphInputs& inputs) {
  GraphChains graph;
  if (inputs.empty()) return graph;
  find_users(inputs, graph);
  find_levels(inputs, graph);
  graph.chain.assign(inputs.size(), kNoNode);
  graph.successor.assign(inputs.size(), kNoNode);
  find_trunk(inputs, graph);
  lower_roots(inputs, graph);
  find_last_uses(inputs, graph);
  std::size_t chains = 1;
  for (std::size_t start = 0; start < inputs.size(); ++start) {
    if (graph.chain[start] != kNoNode) continue;
    for (std::size_t node = start; node != kNoNode; node = graph.successor[node]) {
      graph.chain[node] = chains;
      for (const std::size_t user : graph.users[node]) {
        const std::size_t best = graph.successor[node];
        if (graph.chain[user] == kNoNode && (best == kNoNode || graph.level[user] < graph.level[best])) {
          graph.successor[node] = user;
        }
      }
    }
    ++chains;
  }
  return graph;
}

}  // namespace actforge
