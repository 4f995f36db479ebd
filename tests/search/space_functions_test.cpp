#include "actforge/search/maps/space_functions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "actforge/base/error.h"
#include "actforge/space/find_space.h"

namespace actforge {
namespace {

std::vector<std::size_t> numbers_in(const FunctionSet& set, const Space& space) {
  std::vector<std::size_t> numbers;
  for (const Expr& function : set.functions()) numbers.push_back(static_cast<std::size_t>(*space.index_of(function)));
  return numbers;
}

// One function after another into a set, which is what find_unique() does in a hurry.
TEST(SpaceFunctions, AllThatDiffer) {
  const Space space = find_space("unary(unary(x))");
  FunctionSet slow, fast;
  for (Integer i = 0; i < space.total(); ++i) slow.add(space.at(i));
  const SpaceFunctionsCount count = add_functions(fast, space);
  EXPECT_EQ(count.unique, slow.size());
  EXPECT_EQ(count.added, slow.size());
  EXPECT_EQ(fast.functions(), slow.functions());
}

TEST(SpaceFunctions, ARandomPartInTheSpacesOrder) {
  const Space space = find_space("unary(unary(x))");
  FunctionSet all;
  add_functions(all, space);
  std::vector<std::size_t> chosen(all.size());
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    FunctionSet some;
    const SpaceFunctionsCount count =
        add_functions(some, space, {.count = 40, .run = {.seed = seed, .threads = 1 + seed % 3}});
    ASSERT_EQ(count.added, 40u);
    EXPECT_EQ(count.unique, all.size());
    const std::vector<std::size_t> numbers = numbers_in(some, space);
    EXPECT_TRUE(std::is_sorted(numbers.begin(), numbers.end()));
    for (const Expr& function : some.functions()) {
      const auto place = std::find(all.functions().begin(), all.functions().end(), function);
      ASSERT_NE(place, all.functions().end());
      ++chosen[static_cast<std::size_t>(place - all.functions().begin())];
    }
  }
  // Each is as likely as any other: 200 * 40 / size, with the deviation of a binomial distribution.
  const double expected = 200.0 * 40 / static_cast<double>(all.size());
  for (const std::size_t times : chosen) {
    EXPECT_NEAR(static_cast<double>(times), expected, 5 * std::sqrt(expected));
  }
}

// Two of three: each stays out in a third of all cases.
TEST(SpaceFunctions, EveryChoiceIsEquallyLikely) {
  const Space space = find_space("unary(x)", {.unary = std::vector<Op>{Op::kRelu, Op::kTanh, Op::kExp}});
  std::vector<int> out(3);
  constexpr int kTimes = 3000;
  for (std::uint64_t seed = 0; seed < kTimes; ++seed) {
    FunctionSet two;
    add_functions(two, space, {.count = 2, .run = {.seed = seed, .threads = 1}});
    const std::vector<std::size_t> numbers = numbers_in(two, space);
    ++out[3 - numbers[0] - numbers[1]];
  }
  for (const int times : out) EXPECT_NEAR(times, kTimes / 3.0, 5 * std::sqrt(kTimes * 2.0 / 9));
}

TEST(SpaceFunctions, MoreThanThereAreIsAll) {
  const Space space = find_space("unary(x)");
  FunctionSet all, many;
  add_functions(all, space);
  EXPECT_EQ(add_functions(many, space, {.count = 1000}).added, all.size());
  FunctionSet drawn;
  EXPECT_EQ(add_functions(drawn, space, {.count = 1000, .draw = true}).added, all.size());
}

TEST(SpaceFunctions, LargeSpacesAreDrawnFrom) {
  const Space space = find_space("pangaea");
  FunctionSet set, again, other;
  EXPECT_THROW(add_functions(set, space), Error);
  const SpaceFunctionsCount count = add_functions(set, space, {.count = 50});
  EXPECT_EQ(count.added, 50u);
  EXPECT_FALSE(count.unique);
  add_functions(again, space, {.count = 50});
  EXPECT_EQ(again.functions(), set.functions());
  add_functions(other, space, {.count = 50, .run = {.seed = 1}});
  EXPECT_NE(other.functions(), set.functions());
}

TEST(SpaceFunctions, CanBeStopped) {
  FunctionSet set;
  const RunContext run = {.stop = [] { return true; }};
  EXPECT_THROW(add_functions(set, find_space("unary(unary(x))"), {.run = run}), Error);
  EXPECT_THROW(add_functions(set, find_space("pangaea"), {.count = 10, .run = run}), Error);
  EXPECT_EQ(set.size(), 1u);  // drawn before somebody was asked
}

}  // namespace
}  // namespace actforge
