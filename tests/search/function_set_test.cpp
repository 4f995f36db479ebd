#include "actforge/search/maps/function_set.h"

#include <gtest/gtest.h>

#include "actforge/base/random.h"
#include "actforge/expr/language/parse.h"
#include "actforge/search/strategies/known_functions.h"
#include "actforge/search/strategies/trial_log.h"
#include "actforge/space/find_space.h"

namespace actforge {
namespace {

TEST(FunctionSet, EqualFunctionsAreOne) {
  FunctionSet set;
  EXPECT_EQ(set.add(parse("relu(x)")), 0u);
  EXPECT_EQ(set.add(parse("tanh(x)")), 1u);
  EXPECT_EQ(set.add(parse("max(x,0)")), 0u);     // by values
  EXPECT_EQ(set.add(parse("tanh(x)+0*1")), 1u);  // by form
  EXPECT_EQ(set.add(parse("-relu(-x)")), 2u);    // neither
  EXPECT_EQ(set.size(), 3u);
  EXPECT_EQ(set.functions()[0], parse("relu(x)"));
}

// Rounding may tell values apart that one canonical form has, and one list of values has several forms.
TEST(FunctionSet, EitherKeyIsEnough) {
  const std::string a = "1", b = "2", c = "3", d = "4";
  FunctionSet set;
  EXPECT_EQ(set.add(parse("exp(x)"), {.canonical = a, .fingerprint = a}), 0u);
  EXPECT_EQ(set.add(parse("tanh(x)"), {.canonical = a, .fingerprint = b}), 0u);
  EXPECT_EQ(set.add(parse("relu(x)"), {.canonical = b, .fingerprint = a}), 0u);
  EXPECT_EQ(set.add(parse("erf(x)"), {.canonical = c, .fingerprint = b}), 0u);   // as the second
  EXPECT_EQ(set.add(parse("selu(x)"), {.canonical = b, .fingerprint = d}), 0u);  // as the third
  EXPECT_EQ(set.add(parse("elu(x)"), {.canonical = d, .fingerprint = c}), 1u);
  EXPECT_EQ(set.size(), 2u);
}

// The definition, function by function: equal to an earlier one by either key.
TEST(FunctionSet, AgreesWithComparingAllPairs) {
  const Space space = find_space("unary(unary(x))|binary(unary(x),unary(x))");
  Random random(3, 0, "test");
  const FunctionKeys keys;
  FunctionSet set;
  std::vector<FunctionKey> seen;
  std::vector<std::size_t> numbers;
  std::size_t different = 0;
  for (int i = 0; i < 600; ++i) {
    const Expr function = space.sample(random);
    const FunctionKey key = keys(function);
    std::size_t expected = different;
    for (std::size_t j = 0; j < seen.size(); ++j) {
      if (is_same_function(seen[j], key)) {
        expected = std::min(expected, numbers[j]);
      }
    }
    different += expected == different ? 1 : 0;
    seen.push_back(key);
    numbers.push_back(expected);
    ASSERT_EQ(set.add(function), expected) << i;
  }
  EXPECT_EQ(set.size(), different);
  EXPECT_LT(different, 600u);
}

TEST(KnownFunctions, AreTwelveThatDiffer) {
  FunctionSet set;
  for (const KnownFunction& known : known_functions()) set.add(parse(known.expression));
  EXPECT_EQ(set.size(), 12u);
  EXPECT_EQ(known_functions().size(), 12u);
}

}  // namespace
}  // namespace actforge
