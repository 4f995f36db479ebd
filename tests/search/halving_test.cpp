#include "actforge/search/settings/halving.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "actforge/base/random.h"

namespace actforge {
namespace {

StudySettings halving(std::uint64_t first, double keep_one_in) {
  StudySettings settings;
  settings.halving = true;
  settings.first_rung = first;
  settings.keep_one_in = keep_one_in;
  return settings;
}

std::vector<std::int64_t> rungs(const StudySettings& settings, std::int64_t most) {
  std::vector<std::int64_t> found;
  for (std::int64_t epoch = -3; epoch <= most; ++epoch) {
    if (is_rung(settings, epoch)) found.push_back(epoch);
  }
  return found;
}

TEST(Halving, RungsGrowByTheSameFactor) {
  using R = std::vector<std::int64_t>;
  EXPECT_EQ(rungs(halving(1, 3), 100), (R{1, 3, 9, 27, 81}));
  EXPECT_EQ(rungs(halving(2, 2), 40), (R{2, 4, 8, 16, 32}));
  EXPECT_EQ(rungs(halving(5, 4), 100), (R{5, 20, 80}));
  // 1, 2.5, 6.25, 15.625, 39.0625, 97.65625, to the nearest
  EXPECT_EQ(rungs(halving(1, 2.5), 100), (R{1, 3, 6, 16, 39, 98}));
  // So slowly that several are the same epoch.
  EXPECT_EQ(rungs(halving(1, 1.1), 6), (R{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(rungs(halving(7, 1000), 6999), (R{7}));
}

TEST(Halving, AFewAreTooFewToTell) {
  for (std::size_t others = 0; others < 2; ++others) {
    EXPECT_TRUE(goes_on(halving(1, 3), -1, std::vector<double>(others, 5.0)));
  }
  EXPECT_FALSE(goes_on(halving(1, 3), -1, {5, 5}));
  EXPECT_TRUE(goes_on(halving(1, 2.5), -1, {5}));
  EXPECT_FALSE(goes_on(halving(1, 2.5), -1, {5, 5}));
}

TEST(Halving, TheBestShareGoesOn) {
  const StudySettings settings = halving(1, 3);
  const std::vector<double> others = {0.1, 0.2, 0.3, 0.4, 0.5};  // with one more, two go on
  EXPECT_TRUE(goes_on(settings, 0.6, others));
  EXPECT_TRUE(goes_on(settings, 0.45, others));
  EXPECT_FALSE(goes_on(settings, 0.35, others));
  EXPECT_FALSE(goes_on(settings, 0.05, others));
}

TEST(Halving, EqualsAreTreatedEqually) {
  const StudySettings settings = halving(1, 3);
  EXPECT_TRUE(goes_on(settings, 0.5, std::vector<double>(20, 0.5)));
  EXPECT_TRUE(goes_on(settings, 0.5, {0.5, 0.5, 0.4, 0.3, 0.2}));
  EXPECT_FALSE(goes_on(settings, 0.4, {0.5, 0.5, 0.4, 0.3, 0.2}));
}

// The slow way: sort all, and look whether the score is as good as the last that may go on.
TEST(Halving, AgreesWithSorting) {
  Random random(5);
  for (int round = 0; round < 20000; ++round) {
    const double keep_one_in =
        random.below(2) == 0 ? static_cast<double>(2 + random.below(5)) : 1.1 + 6 * random.uniform();
    const auto draw = [&] { return round % 2 == 0 ? random.normal() : static_cast<double>(random.below(5)); };
    std::vector<double> others(random.below(30));
    std::generate(others.begin(), others.end(), draw);
    const double score = draw();
    std::vector<double> all = others;
    all.push_back(score);
    std::ranges::sort(all, std::greater());
    const auto kept = static_cast<std::size_t>(static_cast<double>(all.size()) / keep_one_in);
    const bool wanted = kept == 0 || score >= all[kept - 1];
    ASSERT_EQ(goes_on(halving(1, keep_one_in), score, others), wanted) << all.size() << " " << keep_one_in;
  }
}

}  // namespace
}  // namespace actforge
