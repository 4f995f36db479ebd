#include "actforge/surrogate/neighbours.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>

#include "actforge/base/error.h"
#include "actforge/surrogate/distances.h"
#include "actforge/surrogate/hnsw_index.h"
#include "tests/surrogate/problems.h"

#ifdef __SANITIZE_THREAD__
// hnswlib locks points in any order, which cannot block where one thread puts them in; it looks like a deadlock all the
// same. Data races are still found.
extern "C" const char* __tsan_default_options();
extern "C" const char* __tsan_default_options() { return "detect_deadlocks=0"; }
#endif

namespace actforge {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

// All points in order of (itself first, distance, number).
std::vector<std::uint32_t> sorted_row(std::span<const float> row, std::size_t self) {
  std::vector<std::uint32_t> order(row.size());
  for (std::size_t j = 0; j < row.size(); ++j) order[j] = static_cast<std::uint32_t>(j);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    if ((a == self) != (b == self)) return a == self;
    return row[a] != row[b] ? row[a] < row[b] : a < b;
  });
  return order;
}

void expect_same(const NeighbourLists& a, const NeighbourLists& b) {
  EXPECT_EQ(a.index, b.index);
  EXPECT_EQ(a.distance, b.distance);
}

// The part of the lists' places that hold a point as near as the true one.
double recall(const NeighbourLists& lists, const NeighbourLists& exact) {
  std::size_t right = 0;
  for (std::size_t i = 0; i < lists.distance.size(); ++i) {
    right += lists.distance[i] <= exact.distance[i] * (1 + 1e-5F);
  }
  return static_cast<double>(right) / static_cast<double>(lists.distance.size());
}

std::string refusal(PointsView points) {
  try {
    neighbours_among(points, {});
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kBadInput);
    return error.what();
  }
  return {};
}

TEST(Neighbours, AreTheFirstOfAllPointsInOrder) {
  Points points = random_points(300, 4);
  for (float& value : points.values) value = std::round(2 * value);  // with ties and duplicates
  for (const MetricRow& row : metrics()) {
    const NeighbourOptions options = {.metric = row.metric, .size = 12, .run = {.threads = 1}};
    const NeighbourLists lists = neighbours_among(points, options);
    const std::vector<float> all = distances_among(points, row.metric);
    for (std::size_t i = 0; i < points.count; ++i) {
      const std::span<const float> distances = std::span(all).subspan(i * points.count, points.count);
      const std::vector<std::uint32_t> order = sorted_row(distances, i);
      for (std::size_t j = 0; j < 12; ++j) {
        ASSERT_EQ(lists.indices(i)[j], order[j]);
        ASSERT_EQ(lists.distances(i)[j], distances[order[j]]);
      }
    }
    expect_same(neighbours_in_matrix(all, options), lists);
    for (const std::size_t threads : {2, 3}) {
      expect_same(neighbours_among(points, {.metric = row.metric, .size = 12, .run = {.threads = threads}}), lists);
    }
  }
}

TEST(Neighbours, OfNewPointsMayBeTheSamePoint) {
  const Points points = random_points(50, 3);
  const NeighbourLists lists = neighbours_of(points, points, {.size = 4});
  expect_same(lists, neighbours_among(points, {.size = 4}));
  EXPECT_EQ(neighbours_of(PointsView(points).rows(7, 1), points, {.size = 1}).index[0], 7u);
}

TEST(Neighbours, AreNeverMoreThanPoints) {
  for (const std::size_t count : {0, 1, 2, 3}) {
    const NeighbourLists lists = neighbours_among(random_points(count, 5), {.size = 15});
    EXPECT_EQ(lists.count, count);
    EXPECT_EQ(lists.size, count);
  }
}

TEST(Neighbours, OfFeaturesThatAreNotFiniteAreRefused) {
  Points points = random_points(10, 3);
  points.row(7)[1] = kNaN;
  EXPECT_EQ(refusal(points), "features: row 7 has NaN in column 1");
  points.row(4)[2] = -kInfinity;
  EXPECT_EQ(refusal(points), "features: row 4 has an infinite number in column 2");
  EXPECT_THROW(neighbours_of(points, random_points(10, 3), {}), Error);
}

TEST(Neighbours, InSomethingElseThanAMatrixOfDistancesAreRefused) {
  EXPECT_THROW(neighbours_in_matrix(std::vector<float>(7), {}), Error);
  EXPECT_THROW(neighbours_in_matrix(std::vector<float>{0, -1, -1, 0}, {}), Error);
  EXPECT_THROW(neighbours_in_matrix(std::vector<float>{0, kNaN, 1, 0}, {}), Error);
}

TEST(HnswIndex, FindsNearlyAllNeighboursOnAnyNumberOfThreads) {
  for (const MetricRow& row : metrics()) {
    SCOPED_TRACE(row.name);
    const Points points = random_points(3000, 6);
    const NeighbourOptions exact = {.metric = row.metric, .size = 15};
    NeighbourOptions options = exact;
    options.exact_limit = 100;
    options.run.threads = 1;
    const NeighbourLists lists = neighbours_among(points, options);
    EXPECT_GT(recall(lists, neighbours_among(points, exact)), 0.99);
    for (std::size_t i = 0; i < points.count; ++i) {
      ASSERT_EQ(lists.indices(i)[0], i);
      ASSERT_EQ(std::set(lists.indices(i).begin(), lists.indices(i).end()).size(), lists.size);
    }
    for (const std::size_t threads : {2, 3}) {
      options.run.threads = threads;
      expect_same(neighbours_among(points, options), lists);
    }
  }
}

TEST(HnswIndex, SearchesAProjectionOfWideRows) {
  Points points(2000, 400);  // a surface in 400 dimensions
  const Points inputs = random_points(2000, 2);
  for (std::size_t i = 0; i < points.count; ++i) {
    for (std::size_t k = 0; k < points.width; ++k) {
      const float x = static_cast<float>(k) / 100 - 2;
      points.row(i)[k] = std::tanh(x * inputs.row(i)[0]) + inputs.row(i)[1] * x;
    }
  }
  const NeighbourLists lists = neighbours_among(points, {.exact_limit = 0});
  EXPECT_GT(recall(lists, neighbours_among(points, {})), 0.97);
}

TEST(HnswIndex, TakesMorePoints) {
  const Points points = random_points(1500, 5);
  HnswIndex index(PointsView(points).rows(0, 1000), {.size = 8});
  index.add(points);
  const NeighbourLists lists = index.of(random_points(20, 5, 9));
  EXPECT_GT(recall(lists, neighbours_of(random_points(20, 5, 9), points, {.size = 8})), 0.99);
  EXPECT_GT(recall(index.among(), neighbours_among(points, {.size = 8})), 0.99);
}

TEST(HnswIndex, SurvivesHugeNumbersAndDuplicates) {
  Points points = random_points(600, 120);
  for (std::size_t i = 0; i < 100; ++i) {
    for (float& value : points.row(i)) value *= 1e37F;
    for (float& value : points.row(200 + i)) value = 1;
  }
  const NeighbourLists lists = neighbours_among(points, {.exact_limit = 0});
  for (const float distance : lists.distance) ASSERT_TRUE(std::isfinite(distance));
}

}  // namespace
}  // namespace actforge
