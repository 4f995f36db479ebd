#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "actforge/report/graphs/graph_layout.h"

namespace actforge {

inline constexpr std::size_t kNoNode = std::numeric_limits<std::size_t>::max();

// A graph cut into chains, each of which will stand in one lane.
struct GraphChains {
  std::size_t rows = 0;
  std::vector<std::size_t> level = {};      // the row of each node: the longest way to it
  std::vector<std::size_t> last_use = {};   // the lowest row that uses it; its own where none does
  std::vector<std::size_t> chain = {};      // 0 is the trunk, which has a node in every row
  std::vector<std::size_t> successor = {};  // the next node of its chain, or kNoNode
  GraphInputs users = {};
};

GraphChains find_chains(const GraphInputs& inputs);

}  // namespace actforge
