#include "actforge/surrogate/distances.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "actforge/base/error.h"
#include "actforge/surrogate/distance_kernels.h"
#include "tests/surrogate/problems.h"

namespace actforge {
namespace {

// Straight from the definitions.
double plain(std::span<const float> a, std::span<const float> b, Metric metric) {
  double sum = 0, squares = 0, dot = 0, aa = 0, bb = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    const auto x = static_cast<double>(a[k]), y = static_cast<double>(b[k]);
    sum += std::fabs(x - y);
    squares += (x - y) * (x - y);
    dot += x * y;
    aa += x * x;
    bb += y * y;
  }
  if (metric == Metric::kManhattan) return sum;
  if (metric == Metric::kEuclidean) return std::sqrt(squares);
  return 1 - dot / std::sqrt(aa * bb);
}

TEST(Distances, AreThoseOfTheDefinition) {
  for (const MetricRow& row : metrics()) {
    for (const std::size_t width : {2, 7, 8, 9, 33, 1030, 2049}) {
      SCOPED_TRACE(std::string(row.name) + " " + std::to_string(width));
      const Points a = random_points(53, width, 1), b = random_points(101, width, 2);
      const std::vector<float> all = distances(a, b, row.metric, {.threads = 1});
      for (std::size_t i = 0; i < a.count; ++i) {
        for (std::size_t j = 0; j < b.count; ++j) {
          const double expected = plain(a.row(i), b.row(j), row.metric);
          ASSERT_NEAR(static_cast<double>(all[i * b.count + j]), expected, 2e-6 * expected + 1e-7);
          ASSERT_NEAR(distance(a.row(i), b.row(j), row.metric), expected, 1e-9 * expected + 1e-9);
        }
      }
      for (const std::size_t threads : {2, 3}) EXPECT_EQ(distances(a, b, row.metric, {.threads = threads}), all);
    }
  }
}

TEST(Distances, AmongPointsAreSymmetricWithZerosOnTheDiagonal) {
  for (const MetricRow& row : metrics()) {
    const Points points = random_points(150, 19);
    const std::vector<float> square = distances_among(points, row.metric, {.threads = 1});
    const std::vector<float> rectangle = distances(points, points, row.metric, {.threads = 1});
    for (std::size_t i = 0; i < points.count; ++i) {
      EXPECT_EQ(square[i * points.count + i], 0);
      for (std::size_t j = 0; j < i; ++j) {
        ASSERT_EQ(square[i * points.count + j], square[j * points.count + i]);
        ASSERT_EQ(square[j * points.count + i], rectangle[j * points.count + i]);
      }
    }
    for (const std::size_t threads : {2, 3})
      EXPECT_EQ(distances_among(points, row.metric, {.threads = threads}), square);
  }
}

TEST(Distances, SurviveLargeAndSmallNumbers) {
  const float most = std::numeric_limits<float>::max();
  const Points points = Points::of(2, {0, 0, 3e30F, 4e30F, 3e-30F, 4e-30F, most, -most});
  const std::vector<float> all = distances_among(points, Metric::kEuclidean);
  EXPECT_FLOAT_EQ(all[1], 5e30F);
  EXPECT_FLOAT_EQ(all[2], 5e-30F);
  EXPECT_EQ(all[3], most);  // beyond it, the largest number
}

TEST(Distances, OfTheSamePointAreZero) {
  Points points = random_points(100, 1000);
  std::copy_n(points.row(3).begin(), 1000, points.row(97).begin());
  for (const MetricRow& row : metrics()) EXPECT_EQ(distances_among(points, row.metric)[3 * 100 + 97], 0);
}

TEST(Distances, OfZeroVectorsByCosine) {
  const std::vector<float> all = distances_among(Points::of(2, {0, 0, 0, 0, 1, 2}), Metric::kCosine);
  EXPECT_EQ(all[1], 0);
  EXPECT_EQ(all[2], 1);
  EXPECT_EQ(distance(std::vector<float>{0, 0}, std::vector<float>{1, 2}, Metric::kCosine), 1);
}

TEST(Distances, OfDifferentWidthsAreRefused) {
  EXPECT_THROW(distances(random_points(2, 3), random_points(2, 4), Metric::kEuclidean), Error);
}

TEST(Metrics, HaveNames) {
  for (const MetricRow& row : metrics()) EXPECT_EQ(find_metric(row.name), row.metric);
  try {
    find_metric("euclidian");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "unknown metric 'euclidian'; did you mean 'euclidean'?");
  }
}

}  // namespace
}  // namespace actforge
