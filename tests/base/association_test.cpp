#include "actforge/base/association.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "actforge/base/error.h"

namespace actforge {
namespace {

TEST(Association, RankCorrelationIsPearsonsOfRanks) {
  const std::vector<double> rising = {1, 2, 3, 4}, squares = {1, 4, 9, 1000}, falling = {4, 3, 2, -1e9};
  EXPECT_DOUBLE_EQ(rank_correlation(rising, squares), 1);
  EXPECT_DOUBLE_EQ(rank_correlation(rising, falling), -1);
  // By hand: ranks 0 1 2 3 4 and 1 0 4 2 3, whose differences are 1 1 2 1 1: 1 - 6·8 / (5·24).
  EXPECT_NEAR(rank_correlation(std::vector<double>{1, 2, 3, 4, 5}, std::vector<double>{2, 1, 5, 3, 4}), 0.6, 1e-12);
}

// Ties share a rank: 0.5 0.5 2 3.5 3.5 against 0 1 2.5 2.5 4. Deviations from 2 are -1.5 -1.5 0 1.5 1.5 and
// -2 -1 0.5 0.5 2, so xy = 8.25, xx = 9, yy = 9.5.
TEST(Association, TiesShareARank) {
  EXPECT_NEAR(rank_correlation(std::vector<double>{1, 1, 2, 3, 3}, std::vector<double>{5, 6, 7, 7, 9}),
              8.25 / std::sqrt(9 * 9.5), 1e-12);
}

TEST(Association, NothingGoesWithWhatDoesNotVary) {
  EXPECT_TRUE(std::isnan(rank_correlation(std::vector<double>{1, 1, 1}, std::vector<double>{1, 2, 3})));
  EXPECT_TRUE(std::isnan(rank_correlation({}, {})));
  EXPECT_THROW(rank_correlation(std::vector<double>{1}, std::vector<double>{1, 2}), Error);
  EXPECT_THROW(
      rank_correlation(std::vector<double>{1, std::numeric_limits<double>::infinity()}, std::vector<double>{1, 2}),
      Error);
}

// Fisher's tea: all 70 ways to name four of eight cups are equally likely.
TEST(Association, FishersTestCountsTables) {
  EXPECT_NEAR(fisher_exact_greater({.both = 4, .first = 0, .second = 0, .neither = 4}), 1.0 / 70, 1e-12);
  EXPECT_NEAR(fisher_exact_greater({.both = 3, .first = 1, .second = 1, .neither = 3}), 17.0 / 70, 1e-12);
  EXPECT_NEAR(fisher_exact_greater({.both = 0, .first = 4, .second = 4, .neither = 0}), 1, 1e-12);
  EXPECT_EQ(fisher_exact_greater({}), 1);
}

}  // namespace
}  // namespace actforge
