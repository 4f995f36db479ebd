#include "actforge/study/reverse_map.h"

#include <gtest/gtest.h>

#include "actforge/base/error.h"
#include "actforge/expr/language/parse.h"
#include "actforge/space/find_space.h"

namespace actforge {
namespace {

ReverseQuestion question(const Space& space) {
  ReverseQuestion asked = {.space = &space};
  asked.map.count = 200;
  return asked;
}

TEST(ReverseAnswer, LeadsFromOneFunctionToTheOther) {
  const Space space = find_space("binary(unary(x),unary(x))");
  ReverseQuestion asked = question(space);
  asked.between = {parse("relu(x)"), parse("tanh(x)")};
  asked.steps = 4;
  const ReverseAnswer answer = answer_reverse(asked, {.seed = 1});
  ASSERT_EQ(answer.made.size(), 4u);
  ASSERT_EQ(answer.map.wanted.size(), 2u);
  // The ends are where the two functions are.
  for (const auto& [made, row] : {std::pair(0u, answer.map.wanted[0]), std::pair(3u, answer.map.wanted[1])}) {
    for (std::size_t d = 0; d < 2; ++d) {
      EXPECT_FLOAT_EQ(answer.made[made].place[d], answer.map.map.places.row(row)[d]);
    }
  }
}

TEST(ReverseAnswer, ForPlacesThatAreGivenOrEmpty) {
  const Space space = find_space("binary(unary(x),unary(x))");
  ReverseQuestion asked = question(space);
  asked.at = Points(1, 2);
  asked.at.row(0)[0] = 1.5F;
  const ReverseAnswer given = answer_reverse(asked, {.seed = 1});
  ASSERT_EQ(given.made.size(), 1u);
  EXPECT_EQ(given.made[0].place, (std::vector<float>{1.5F, 0}));
  EXPECT_EQ(given.empty.places.count, 0u);
  asked.at = {};
  asked.empty = true;
  asked.empty_places.count = 3;
  const ReverseAnswer empty = answer_reverse(asked, {.seed = 1});
  EXPECT_EQ(empty.made.size(), 3u);
  EXPECT_EQ(empty.empty.clearance.size(), 3u);
  EXPECT_THROW(answer_reverse(asked, {.stop = [] { return true; }}), Error);
}

}  // namespace
}  // namespace actforge
