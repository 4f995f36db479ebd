#include "actforge/space/sample.h"

#include <gtest/gtest.h>

#include <map>

#include "actforge/base/error.h"
#include "actforge/expr/language/print.h"
#include "tests/space/frequency.h"
#include "tests/space/problems.h"

namespace actforge {
namespace {

TEST(Sample, TakesEveryFunctionOfASmallSpaceEquallyOften) {
  // Schemas of different sizes, so that a choice of schema first would show.
  const Space space(SpaceDefinition{.name = "small",
                                    .unary = {Op::kRelu, Op::kTanh, Op::kErf},
                                    .binary = {Op::kAdd, Op::kMul},
                                    .schemas = {"unary(x)", "binary(unary(x),unary(x))"},
                                    .parameters = 1});
  std::map<std::string, double> wanted;
  for (Integer i = 0; i < space.total(); ++i) wanted[to_call(space.at(i))] = 1 / static_cast<double>(space.total());
  std::map<std::string, int> seen;
  for (std::uint64_t i = 0; i < 50'000; ++i) {
    Random random(1, i, "sample");
    ++seen[to_call(space.sample(random))];
  }
  EXPECT_EQ(wanted.size(), 3u * 3 + 18 * 6);
  expect_frequencies(seen, wanted);
}

// In a space of ten trillion, what can be counted: how often each row of the table comes.
TEST(Sample, TakesSchemasOfPangaeaInProportionToTheirSize) {
  const Space space = builtin("pangaea");
  std::map<std::string, int> seen;
  for (std::uint64_t i = 0; i < 50'000; ++i) {
    Random random(2, i, "sample");
    const Expr expr = space.sample(random);
    ++seen[expr.operator_count() < 7 ? "fewer" : "seven, " + std::to_string(expr.parameters().size())];
  }
  // From the table: functions of seven nodes, by edges 8, 9, 10, 11 with 1, 15, 30, 5 arrangements.
  const double u = 27, b = 7;
  const double rows[] = {std::pow(u, 7), 15 * std::pow(u, 6) * b, 30 * std::pow(u, 5) * b * b,
                         5 * std::pow(u, 4) * b * b * b};
  const double total = 10339202744514.0;
  std::map<std::string, double> wanted;
  double rest = 1;
  for (int k = 0; k <= 3; ++k) {
    double functions = 0;
    for (int row = 0; row < 4; ++row) {
      const double e = 8 + row;
      const double ways[] = {1, e, e * (e - 1) / 2, e * (e - 1) * (e - 2) / 6};
      functions += rows[row] * ways[k];
    }
    wanted["seven, " + std::to_string(k)] = functions / total;
    rest -= functions / total;
  }
  wanted["fewer"] = rest;
  expect_frequencies(seen, wanted);
}

TEST(Sample, LargeBoundsAreUniformToo) {
  // Three quarters of 2^100: the top two bits of a draw below it are 00, 01 or 10, equally often.
  const Integer bound = Integer(3) << 98;
  std::map<std::string, int> seen;
  Random random(3);
  for (int i = 0; i < 30'000; ++i) {
    const Integer draw = random_below(random, bound);
    ASSERT_LT(draw, bound);
    ++seen[Integer(draw >> 98).str() + (draw % 2 == 0 ? " even" : " odd")];
  }
  std::map<std::string, double> wanted;
  for (const char* top : {"0", "1", "2"}) {
    for (const char* low : {" even", " odd"}) wanted[std::string(top) + low] = 1.0 / 6;
  }
  expect_frequencies(seen, wanted);
  EXPECT_EQ(random_below(random, 1), 0);
}

TEST(Sample, CommasGroupThreeDigits) {
  EXPECT_EQ(with_commas(0), "0");
  EXPECT_EQ(with_commas(999), "999");
  EXPECT_EQ(with_commas(1000), "1,000");
  EXPECT_EQ(with_commas(Integer("10339202744514")), "10,339,202,744,514");
}

// Half of these are constant.
Space half_refused() {
  return Space({.name = "half",
                .unary = {Op::kZero, Op::kTanh},
                .schemas = {"unary(x)"},
                .require = read_requirements("not-constant")});
}

TEST(DrawFunction, DrawsAgainWhatTheSpaceRefuses) {
  const Space space = half_refused();
  for (std::uint64_t i = 0; i < 100; ++i) {
    Random random(1, i, "sample");
    const DrawnFunction drawn = draw_function(space, random);
    EXPECT_EQ(to_call(drawn.expr), "tanh(x)");
    EXPECT_EQ(drawn.index, Integer(1));
  }
  Random random(1, 0, "sample");
  const DrawnFunction initial = draw_function(builtin("pangaea"), random, Draw::kInitial);
  EXPECT_FALSE(initial.index);
  EXPECT_LE(initial.expr.operator_count(), 3u);
  const Space nothing(
      {.name = "none", .unary = {Op::kZero}, .schemas = {"unary(x)"}, .require = read_requirements("not-constant")});
  EXPECT_THROW(draw_function(nothing, random), Error);
}

TEST(DrawFunction, CountsThoseThatMayBeDrawn) {
  const std::uint64_t admitted = count_admitted(half_refused(), 1000);
  EXPECT_NEAR(static_cast<double>(admitted), 500, 80);  // five standard deviations
  SpaceDefinition all = half_refused().definition();
  all.require.reset();
  EXPECT_EQ(count_admitted(Space(all), 100), 100u);
}

}  // namespace
}  // namespace actforge
