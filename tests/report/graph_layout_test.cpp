#include "actforge/report/graphs/graph_layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "actforge/base/random.h"

namespace actforge {
namespace {

using Side = GraphLane::Side;
using LaneKey = std::pair<int, int>;

LaneKey key(GraphLane lane) { return {static_cast<int>(lane.side), lane.number}; }

GraphInputs chain(std::size_t length) {
  GraphInputs inputs(length);
  for (std::size_t i = 1; i < length; ++i) inputs[i] = {i - 1};
  return inputs;
}

// Blocks of four: three in a row, and a sum of the block's input and the third.
GraphInputs residual(std::size_t blocks) {
  GraphInputs inputs(1);
  for (std::size_t block = 0; block < blocks; ++block) {
    const std::size_t start = inputs.size() - 1;
    for (std::size_t i = 0; i < 3; ++i) inputs.push_back({start + i});
    inputs.push_back({start, start + 3});
  }
  return inputs;
}

GraphInputs random_graph(Random& random) {
  GraphInputs inputs(1);
  const std::size_t size = 2 + random.below(40);
  while (inputs.size() < size) {
    std::vector<std::size_t> mine;
    if (random.below(12) != 0) {
      for (std::uint64_t k = random.below(3); k != UINT64_MAX; --k) {
        const std::size_t near = random.below(std::min<std::size_t>(inputs.size(), 6));
        mine.push_back(random.below(4) == 0 ? random.below(inputs.size()) : inputs.size() - 1 - near);
      }
    }
    inputs.push_back(mine);
  }
  return inputs;
}

// Everything that a drawing relies on.
void check(const GraphInputs& inputs, const GraphLayout& layout) {
  ASSERT_EQ(layout.places.size(), inputs.size());
  std::map<std::size_t, std::set<std::pair<int, LaneKey>>> boxes;  // by column
  for (std::size_t node = 0; node < inputs.size(); ++node) {
    const GraphSlot& place = layout.places[node];
    ASSERT_LT(place.column, layout.columns.size());
    EXPECT_TRUE(place.row >= 0 && place.row < layout.columns[place.column].rows);
    EXPECT_EQ(place.lane.side, Side::kMain);
    EXPECT_LT(place.lane.number, layout.columns[place.column].main_lanes);
    EXPECT_TRUE(boxes[place.column].insert({place.row, key(place.lane)}).second) << "two boxes in one place";
    for (const std::size_t input : inputs[node]) {
      const GraphSlot& above = layout.places[input];
      EXPECT_LT(std::pair(above.column, above.row), std::pair(place.column, place.row)) << "not below its input";
    }
  }
  for (std::size_t c = 0; c < layout.columns.size(); ++c) {
    const GraphColumn& column = layout.columns[c];
    std::map<std::pair<int, LaneKey>, std::pair<int, LaneKey>> taken;  // a row of a track: whose line it holds
    for (const GraphWire& wire : column.wires) {
      EXPECT_LT(wire.from_row, wire.to_row);
      for (int row = wire.from_row + 1; row < wire.to_row; ++row) {
        EXPECT_FALSE(boxes[c].contains({row, key(wire.track)})) << "a line behind a box";
        const auto owner = std::pair(wire.from_row, key(wire.from));
        const auto [there, is_new] = taken.try_emplace({row, key(wire.track)}, owner);
        EXPECT_EQ(there->second, owner) << "two lines in one track";
      }
    }
  }
}

// Edges that are drawn: from a box or from above, to a box.
std::size_t count_arrivals(const GraphLayout& layout) {
  std::size_t count = 0;
  for (const GraphColumn& column : layout.columns) {
    for (const GraphWire& wire : column.wires) count += wire.to_row < column.rows;
  }
  return count;
}

TEST(GraphLayout, ChainsGoStraightDown) {
  const GraphLayout layout = lay_out_graph(chain(10), 1);
  ASSERT_EQ(layout.columns.size(), 1u);
  EXPECT_EQ(layout.columns[0].rows, 10);
  EXPECT_EQ(layout.columns[0].main_lanes, 1);
  EXPECT_EQ(layout.columns[0].left_tracks + layout.columns[0].right_tracks, 0);
  for (const GraphWire& wire : layout.columns[0].wires) EXPECT_EQ(wire.from, wire.to);
}

TEST(GraphLayout, ShortcutsTakeATrackAtTheLeft) {
  const GraphLayout layout = lay_out_graph(residual(3), 1);
  check(residual(3), layout);
  EXPECT_EQ(layout.columns[0].main_lanes, 1);
  EXPECT_EQ(layout.columns[0].left_tracks, 1);
  EXPECT_EQ(layout.columns[0].right_tracks, 0);
}

TEST(GraphLayout, BranchesStandSideBySide) {
  // 0 -> 1, 2, 3 in parallel -> 4
  const GraphInputs inputs = {{}, {0}, {0}, {0}, {1, 2, 3}};
  const GraphLayout layout = lay_out_graph(inputs, 1);
  check(inputs, layout);
  EXPECT_EQ(layout.columns[0].rows, 3);
  EXPECT_EQ(layout.columns[0].main_lanes, 3);
}

TEST(GraphLayout, FoldsBetweenBlocks) {
  const GraphInputs inputs = residual(24);
  const GraphLayout layout = lay_out_graph(inputs, 4);
  check(inputs, layout);
  ASSERT_EQ(layout.columns.size(), 4u);
  for (std::size_t c = 0; c < 3; ++c) EXPECT_EQ(layout.columns[c].crossings.size(), 1u) << c;
  EXPECT_TRUE(layout.columns[3].crossings.empty());
}

TEST(GraphLayout, InputsStandWhereTheyAreUsed) {
  GraphInputs inputs = chain(6);
  inputs.push_back({});      // 6
  inputs.push_back({5, 6});  // 7
  const GraphLayout layout = lay_out_graph(inputs, 1);
  check(inputs, layout);
  EXPECT_EQ(layout.places[6].row, 5);
}

TEST(GraphLayout, OddGraphs) {
  EXPECT_TRUE(lay_out_graph({}, 3).columns.empty());
  check({{}}, lay_out_graph({{}}, 5));
  const GraphInputs twice = {{}, {0, 0}};
  EXPECT_EQ(count_arrivals(lay_out_graph(twice, 1)), 1u);  // one line, not two upon each other
  const GraphInputs loose = {{}, {}, {}};
  check(loose, lay_out_graph(loose, 2));
}

TEST(GraphLayout, RandomGraphsInAnyNumberOfColumns) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const GraphInputs inputs = random_graph(random);
    std::size_t edges = 0;
    for (const std::vector<std::size_t>& mine : inputs) edges += std::set(mine.begin(), mine.end()).size();
    for (const std::size_t columns : {1, 2, 3, 7, 100}) {
      const GraphLayout layout = lay_out_graph(inputs, columns);
      check(inputs, layout);
      EXPECT_LE(layout.columns.size(), columns);
      EXPECT_EQ(count_arrivals(layout), edges);
    }
  }
}

}  // namespace
}  // namespace actforge
