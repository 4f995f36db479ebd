#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace actforge {

// Where something stands across a column of a graph: a main lane is as wide as a box, and main lane 0 is the trunk, the
// longest path; tracks are narrow and hold lines alone, those of the trunk at its left, others at the right.
struct GraphLane {
  enum class Side : std::uint8_t { kMain, kLeft, kRight };
  Side side = Side::kMain;
  int number = 0;  // counted from the trunk outwards

  bool operator==(const GraphLane&) const = default;
};

struct GraphSlot {
  std::size_t column = 0;
  int row = 0;
  GraphLane lane = {};
};

// An edge within a column, from the bottom of its first row (-1: above the column) to the top of its last one (that
// after the last row: below the column). It changes lanes between rows, where no boxes are; rows in between it passes
// in `track`.
struct GraphWire {
  GraphLane from;
  int from_row = 0;
  GraphLane track;
  GraphLane to;
  int to_row = 0;
};

// What leaves a column below and enters the next one above.
struct GraphCrossing {
  GraphLane exit, entry;
};

struct GraphColumn {
  int rows = 0;
  int main_lanes = 1, left_tracks = 0, right_tracks = 0;
  std::vector<GraphWire> wires = {};
  std::vector<GraphCrossing> crossings = {};  // to the next column
};

struct GraphLayout {
  std::vector<GraphSlot> places = {};  // one per node
  std::vector<GraphColumn> columns = {};
};

using GraphInputs = std::vector<std::vector<std::size_t>>;

// Nodes go down in rows, each below its inputs; `inputs` of a node name earlier ones. The rows are folded into about
// `columns` columns, at places where as few signals as possible cross.
GraphLayout lay_out_graph(const GraphInputs& inputs, std::size_t columns);

// How many rows there are before folding.
std::size_t graph_rows(const GraphInputs& inputs);

}  // namespace actforge
