#include "actforge/base/random.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace actforge {
namespace {

TEST(RandomStream, SameSeedSameNumbers) {
  Random a(1, 2, "init"), b(1, 2, "init");
  for (int i = 0; i < 100; ++i) EXPECT_EQ(a.next(), b.next());
}

TEST(RandomStream, SeedTrialAndPurposeAllMatter) {
  const std::uint64_t base = Random(1, 2, "init").next();
  EXPECT_NE(base, Random(2, 2, "init").next());
  EXPECT_NE(base, Random(1, 3, "init").next());
  EXPECT_NE(base, Random(1, 2, "data").next());
}

TEST(RandomStream, BelowIsUniform) {
  Random random(7);
  std::vector<int> counts(6);
  constexpr int kDraws = 60000;
  for (int i = 0; i < kDraws; ++i) ++counts[random.below(6)];
  double chi2 = 0;
  for (const int count : counts) chi2 += std::pow(count - kDraws / 6.0, 2) / (kDraws / 6.0);
  EXPECT_LT(chi2, 20.5);  // 5 degrees of freedom, p = 0.001
}

TEST(RandomStream, NormalHasTheRightMoments) {
  Random random(7);
  double sum = 0, squares = 0, fourth = 0;
  constexpr int kDraws = 200000;
  for (int i = 0; i < kDraws; ++i) {
    const double z = random.normal();
    sum += z, squares += z * z, fourth += z * z * z * z;
  }
  EXPECT_NEAR(sum / kDraws, 0, 4 / std::sqrt(kDraws));
  EXPECT_NEAR(squares / kDraws, 1, 4 * std::sqrt(2.0 / kDraws));
  EXPECT_NEAR(fourth / kDraws, 3, 4 * std::sqrt(96.0 / kDraws));
}

}  // namespace
}  // namespace actforge
