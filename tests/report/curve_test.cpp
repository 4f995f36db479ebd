#include "actforge/report/plots/curve.h"

#include <gtest/gtest.h>

#include "tests/report/plot_helpers.h"

namespace actforge {
namespace {

using namespace actforge::testing;

constexpr PlotFrame kFrame{.x = {0, 10}, .y = {-1, 1}};

std::vector<Polyline> pieces(std::vector<double> x, std::vector<double> y) {
  return visible_pieces({"", std::move(x), std::move(y)}, kFrame);
}

void expect_point(const FramePoint& point, double u, double v) {
  EXPECT_NEAR(point.u, u, 1e-12);
  EXPECT_NEAR(point.v, v, 1e-12);
}

TEST(Curve, OnePieceWithoutGaps) {
  const auto whole = pieces({0, 5, 10}, {-1, 0, 1});
  ASSERT_EQ(whole.size(), 1u);
  ASSERT_EQ(whole[0].size(), 3u);
  expect_point(whole[0][0], 0, 0);
  expect_point(whole[0][1], 0.5, 0.5);
  expect_point(whole[0][2], 1, 1);
}

TEST(Curve, BreaksAtWhatIsNotFinite) {
  for (const double gap : {kNan, kInf, -kInf}) {
    const auto parts = pieces({0, 1, 2, 3, 4, 5, 6}, {0, 0.5, gap, 0.5, gap, 0, 0});
    ASSERT_EQ(parts.size(), 3u);
    EXPECT_EQ(parts[0].size(), 2u);
    EXPECT_EQ(parts[1].size(), 1u);  // a dot
    EXPECT_EQ(parts[2].size(), 2u);
    expect_point(parts[1][0], 0.3, 0.75);
  }
  EXPECT_EQ(pieces({0, kNan, 2, 3}, {0, 0, 0, 0}).size(), 2u);
  EXPECT_TRUE(pieces({0, 1}, {kNan, kNan}).empty());
  EXPECT_TRUE(pieces({}, {}).empty());
}

TEST(Curve, EndsExactlyWhereItLeavesTheFrame) {
  const auto peak = pieces({0, 2, 4}, {0, 4, 0});  // leaves at x = 0.5, is back at 3.5
  ASSERT_EQ(peak.size(), 2u);
  expect_point(peak[0].back(), 0.05, 1);
  expect_point(peak[1].front(), 0.35, 1);
  EXPECT_TRUE(pieces({0, 10}, {2, 3}).empty());
  EXPECT_TRUE(pieces({5}, {2}).empty());
  const auto wide = visible_pieces({"", {0, 2}, {0, 4}}, kFrame, {.u = 0, .v = 0.5});
  expect_point(wide.at(0).back(), 0.1, 1.5);
}

TEST(Curve, BreaksAtPoles) {
  // 1/(x - 5) without a sample at 5.
  const auto both = pieces({4.8, 4.9, 5.1, 5.2}, {-5, -10, 10, 5});
  EXPECT_TRUE(both.empty());
  const Series inverse_five = sampled("", [](double x) { return 1 / (x - 5); }, {0, 10, 400});
  const auto branches = visible_pieces(inverse_five, kFrame);
  ASSERT_EQ(branches.size(), 2u);
  for (const Polyline& branch : branches) {
    for (std::size_t i = 1; i < branch.size(); ++i) EXPECT_LT(branch[i].v, branch[i - 1].v);
  }
}

TEST(Curve, SteepIsNotBroken) {
  const auto steep = pieces({0, 4, 6, 10}, {-10, -9, 9, 10});
  ASSERT_EQ(steep.size(), 1u);
  EXPECT_NEAR(steep[0].front().v, 0, 1e-12);
  EXPECT_NEAR(steep[0].back().v, 1, 1e-12);
  EXPECT_EQ(pieces({0, 10}, {-5, 5}).size(), 1u);
  // Peaks and zigzags are no poles, whether they end at the edges of the frame or beyond.
  EXPECT_EQ(pieces({0, 1, 2, 3}, {-1, 1, 0, -0.5}).size(), 1u);
  EXPECT_EQ(pieces({0, 1, 2, 3, 4}, {1, -1, 1, -1, 1}).size(), 1u);
  EXPECT_EQ(pieces({0, 1, 2, 3, 4}, {2, -2, 2, -2, 2}).size(), 4u);
  // A spike inside of the frame, or out at one side alone, is no pole.
  EXPECT_EQ(pieces({0, 1, 2, 3}, {0.5, 0.9, -0.9, -0.5}).size(), 1u);
  EXPECT_EQ(pieces({0, 1, 2, 3}, {0.5, 0.9, -3, 0.5}).size(), 2u);
}

TEST(Curve, HugeValuesStayInside) {
  const auto parts = pieces({0, 2, 4, 6, 8, 10}, {0, 1.7e308, 0, -1.7e308, 0, 5e-324});
  ASSERT_FALSE(parts.empty());
  for (const Polyline& part : parts) {
    for (const FramePoint& point : part) {
      EXPECT_TRUE(0 <= point.u && point.u <= 1) << point.u;
      EXPECT_TRUE(-1e-9 <= point.v && point.v <= 1 + 1e-9) << point.v;
    }
  }
}

}  // namespace
}  // namespace actforge
