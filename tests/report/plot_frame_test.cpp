#include "actforge/report/plots/plot_frame.h"

#include <gtest/gtest.h>

#include "tests/report/plot_helpers.h"

namespace actforge {
namespace {

using namespace actforge::testing;

PlotFrame frame(std::vector<Series> series) { return frame_of({.series = std::move(series)}); }

// Everything is shown, and little else.
void expect_whole(const PlotFrame& frame, double low, double high) {
  EXPECT_FALSE(frame.beyond);
  EXPECT_TRUE(frame.y.contains(low) && frame.y.contains(high)) << frame.y.low << " to " << frame.y.high;
  EXPECT_LE(frame.y.length(), 1.3 * (high - low));
}

TEST(PlotFrame, ShowsTheWholeOfTameCurves) {
  expect_whole(frame({sampled("relu", relu)}), 0, 5);
  expect_whole(frame({sampled("relu", relu), sampled("swish", swish)}), -0.28, 5);
  expect_whole(frame({sampled("exp", exponential)}), 0, 148.4);
  expect_whole(frame({sampled("cube", [](double x) { return x * x * x; })}), -125, 125);
  expect_whole(frame({sampled("step", [](double x) { return x < 4.8 ? 0.0 : 1.0; })}), 0, 1);
  const PlotFrame line = frame({sampled("relu", relu)});
  EXPECT_EQ(line.x.low, -5);
  EXPECT_EQ(line.x.high, 5);
}

TEST(PlotFrame, ShowsTheWholeOfNarrowPeaksAndLateKinks) {
  const auto bell = [](double x) { return std::exp(-x * x); };
  expect_whole(frame({sampled("bell", bell, {-50, 50, 801})}), 0, 1);
  expect_whole(frame({sampled("late", relu, {-5, 0.28, 401})}), 0, 0.28);
  expect_whole(frame({sampled("late", relu, {-5, 1.7, 401})}), 0, 1.7);
}

TEST(PlotFrame, PolesDoNotFlattenTheRest) {
  // Whether or not a sample hits the pole, and however fine the sampling is.
  for (const int count : {100, 101, 400, 401, 4001, 20000}) {
    const PlotFrame odd = frame({sampled("1/x", inverse, {-5, 5, count})});
    EXPECT_TRUE(odd.beyond);
    EXPECT_TRUE(odd.y.contains(-2) && odd.y.contains(2)) << count;
    EXPECT_LE(odd.y.length(), 20) << count;
    const PlotFrame even = frame({sampled("1/x^2", [](double x) { return 1 / (x * x); }, {-5, 5, count})});
    EXPECT_TRUE(even.y.contains(0.04) && even.y.contains(4)) << count;
    EXPECT_LE(even.y.length(), 40) << count;
  }
}

TEST(PlotFrame, GrowthDoesNotFlattenOtherCurves) {
  const PlotFrame both = frame({sampled("exp", exponential), sampled("relu", relu)});
  EXPECT_TRUE(both.beyond);
  EXPECT_TRUE(both.y.contains(0) && both.y.contains(5));
  EXPECT_LE(both.y.high, 15);
  // But a curve as steep as relu is never cut because another one is shallow.
  expect_whole(frame({sampled("relu", relu), sampled("flat", [](double x) { return 0.2 * std::tanh(x); })}), -0.2, 5);
}

TEST(PlotFrame, DoubleExponentialIsSeenWhereItIsSmall) {
  const PlotFrame tower = frame({sampled("exp(exp(x))", [](double x) { return std::exp(std::exp(x)); })});
  EXPECT_TRUE(tower.y.contains(1) && tower.y.contains(15));
  EXPECT_LE(tower.y.high, 100);
}

TEST(PlotFrame, LimitsAreTakenAsGiven) {
  const PlotFrame both = frame_of({.series = {sampled("exp", exponential)}, .y_min = -1, .y_max = 3});
  EXPECT_EQ(both.y.low, -1);
  EXPECT_EQ(both.y.high, 3);
  EXPECT_TRUE(both.beyond);
  const PlotFrame one = frame_of({.series = {sampled("relu", relu)}, .y_max = 2});
  EXPECT_EQ(one.y.high, 2);
  EXPECT_LE(one.y.low, 0);
  // Above all of the curve: still a frame.
  const PlotFrame above = frame_of({.series = {sampled("relu", relu)}, .y_min = 100});
  EXPECT_EQ(above.y.low, 100);
  EXPECT_GT(above.y.high, 100);
  const PlotFrame below = frame_of({.series = {sampled("relu", relu)}, .y_max = -100});
  EXPECT_EQ(below.y.high, -100);
  EXPECT_LT(below.y.low, -100);
}

TEST(PlotFrame, ConstantsAndNothing) {
  for (const double constant : {0.0, 3.0, -1e9, 1e-200, 5e-324, 1e300, -1e308}) {
    const PlotFrame flat = frame({sampled("c", [=](double) { return constant; })});
    EXPECT_FALSE(flat.empty);
    EXPECT_TRUE(flat.y.contains(std::max(constant, -1e300))) << constant;
    EXPECT_TRUE(std::isfinite(flat.y.length()) && flat.y.length() > 0) << constant;
  }
  for (const auto& series :
       {std::vector<Series>{}, std::vector<Series>{{}}, std::vector<Series>{{"n", {1, 2}, {kNan, kInf}}}}) {
    const PlotFrame nothing = frame(series);
    EXPECT_TRUE(nothing.empty);
    EXPECT_GT(nothing.y.length(), 0);
    EXPECT_GT(nothing.x.length(), 0);
  }
  const PlotFrame point = frame({{"p", {2}, {7}}});
  EXPECT_FALSE(point.empty);
  EXPECT_TRUE(point.x.contains(2) && point.x.length() > 0);
  EXPECT_TRUE(point.y.contains(7) && point.y.length() > 0);
}

TEST(PlotFrame, HugeValuesStayFinite) {
  const PlotFrame huge = frame({{"h", {-1e308, 0, 1e308}, {-1.7e308, 0, 1.7e308}}});
  EXPECT_TRUE(std::isfinite(huge.x.length()) && huge.x.length() > 0);
  EXPECT_TRUE(std::isfinite(huge.y.length()) && huge.y.length() > 0);
}

TEST(PlotFrame, NonsenseIsRefused) {
  const auto [code, message] = error_of([] { frame({{"odd one", {1, 2, 3}, {1, 2}}}); });
  EXPECT_EQ(code, kBadInput);
  EXPECT_NE(message.find("'odd one' has 3 x values and 2 y values"), std::string::npos) << message;
  EXPECT_EQ(error_of([] { frame_of({.y_min = 2, .y_max = 1}); }).first, kUsage);
  EXPECT_EQ(error_of([] { frame_of({.y_min = 1, .y_max = 1}); }).first, kUsage);
  EXPECT_EQ(error_of([] { frame_of({.y_max = kNan}); }).first, kUsage);
  EXPECT_EQ(error_of([] { frame_of({.y_min = -kInf}); }).first, kUsage);
}

}  // namespace
}  // namespace actforge
