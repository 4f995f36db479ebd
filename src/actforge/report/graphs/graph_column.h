#pragma once

#include <map>

#include "actforge/report/graphs/graph_chains.h"

namespace actforge {

// The lanes in which signals enter or leave a column, by the node they come from.
using ColumnSignals = std::map<std::size_t, GraphLane>;

// Gives out the lanes of one column: the rows `begin` to `end` of a graph.
class ColumnLayout {
 public:
  struct Place {
    int row;
    GraphLane lane;
  };

  ColumnLayout(const GraphChains& graph, std::size_t begin, std::size_t end);

  const std::map<std::size_t, Place>& places() const { return places_; }
  const ColumnSignals& entries() const { return entries_; }
  const ColumnSignals& exits() const { return exits_; }
  GraphColumn finish() { return std::move(column_); }

 private:
  // Something whose signal is used here: a node of the column, or one above it (row -1).
  struct Source {
    std::size_t node;
    int row;
    int last_row;          // the lowest one that it reaches; that after the column where it leaves
    bool keeps_lane;       // the next node of its chain is here, and stands in its lane
    GraphLane home = {};   // where it stands
    GraphLane track = {};  // where it passes other rows
  };
  // Rows of a lane that are taken.
  struct Span {
    int first, last;
    std::size_t owner;  // a chain, or a place in sources_
  };

  bool is_here(std::size_t node) const { return graph_.level[node] >= begin_ && graph_.level[node] < end_; }
  int row_of(std::size_t node) const { return static_cast<int>(graph_.level[node]) - static_cast<int>(begin_); }
  int rows() const { return static_cast<int>(end_ - begin_); }

  void find_sources();
  void give_lanes_to_chains();
  void give_tracks();
  void connect(const Source& source);

  const GraphChains& graph_;
  std::size_t begin_, end_;
  std::vector<Source> sources_;
  std::map<std::size_t, int> lane_of_chain_;
  std::map<std::size_t, Place> places_;
  ColumnSignals entries_, exits_;
  GraphColumn column_;
};

}  // namespace actforge
