#include "actforge/search/maps/rounding_twins.h"

#include <gtest/gtest.h>

#include <cmath>

#include "actforge/base/random.h"
#include "actforge/expr/language/parse.h"
#include "actforge/search/maps/output_features.h"
#include "actforge/surrogate/distances.h"

namespace actforge {
namespace {

TEST(RoundingTwins, FindsFunctionsThatDifferByRounding) {
  std::vector<Expr> functions;
  for (const char* text :
       {"tanh(x)", "relu(x)", "2*sigmoid(2*x)-1", "1-2/(exp(2*x)+1)", "0.99999*relu(x)", "max(x,0)", "softsign(x)"}) {
    functions.push_back(parse(text));
  }
  const RoundingTwins twins = rounding_twins(output_features(functions));
  EXPECT_EQ(twins.first, (std::vector<std::uint32_t>{0, 1, 4, 6}));
  EXPECT_EQ(twins.of, (std::vector<std::uint32_t>{0, 1, 0, 0, 2, 1, 3}));
}

// Clumps of copies that rounding changed, of any size: the definition, over all pairs.
TEST(RoundingTwins, AgreesWithComparingAllPairs) {
  constexpr std::size_t kClumps = 60;
  Points rows(600, 20);
  Random random(1, 0, "test");
  std::vector<std::size_t> clump(rows.count);
  Points centres(kClumps, rows.width);
  for (std::size_t i = 0; i < kClumps; ++i) {
    const double size = std::pow(10, 12 * random.uniform() - 6);
    for (float& y : centres.row(i)) y = static_cast<float>(size * random.normal());
  }
  for (std::size_t i = 0; i < rows.count; ++i) {
    clump[i] = random.below(kClumps);
    for (std::size_t k = 0; k < rows.width; ++k) {
      rows.row(i)[k] = centres.row(clump[i])[k] * static_cast<float>(1 + 1e-7 * random.normal());
    }
  }
  const RoundingTwins twins = rounding_twins(rows, {.threads = 3});
  ASSERT_EQ(twins.of.size(), rows.count);
  for (std::size_t i = 0; i < rows.count; ++i) {
    const std::size_t first = twins.first[twins.of[i]];
    EXPECT_LE(first, i);
    for (std::size_t j = 0; j < i; ++j) {
      const bool same = twins.of[i] == twins.of[j];
      if (clump[i] == clump[j]) {
        EXPECT_TRUE(same);
      } else if (same) {  // clumps of tiny numbers are all zero
        EXPECT_LT(distance(rows.row(i), rows.row(j), Metric::kEuclidean), 4e-6);
      }
    }
  }
  EXPECT_EQ(rounding_twins(rows, {.threads = 1}).of, twins.of);
}

TEST(RoundingTwins, OfNothing) {
  EXPECT_TRUE(rounding_twins(Points(0, 3)).first.empty());
  EXPECT_EQ(rounding_twins(Points(1, 3)).first.size(), 1u);
}

}  // namespace
}  // namespace actforge
