#include "actforge/surrogate/growing_process.h"

#include <gtest/gtest.h>

#include <cmath>

#include "actforge/base/random.h"
#include "actforge/surrogate/block_process.h"

namespace actforge {
namespace {

// Points with two blocks of features, and a value each.
struct Cloud {
  Points a, b;
  std::vector<double> values;

  Cloud(std::size_t count, std::uint64_t seed) : a(count, 3), b(count, 2) {
    Random random(seed);
    for (float& x : a.values) x = static_cast<float>(random.normal());
    for (float& x : b.values) x = static_cast<float>(random.normal());
    for (std::size_t i = 0; i < count; ++i) values.push_back(a.row(i)[0] + 0.3 * b.row(i)[1] + 0.1 * random.normal());
  }
};

BlockDistances between(const Cloud& one, const Cloud& other) {
  BlockDistances distances = block_distances(one.a, other.a);
  distances.blocks.push_back(block_distances(one.b, other.b).blocks[0]);
  return distances;
}

double correlation(const BlockDistances& distances, const BlockProcess::Settings& settings, std::size_t i,
                   std::size_t j) {
  double squared = 0;
  for (std::size_t b = 0; b < 2; ++b) {
    squared += distances.row(b, i)[j] / (settings.lengths[b] * settings.lengths[b]);
  }
  return BlockProcess::correlation(squared);
}

std::vector<double> correlations(const BlockDistances& distances, const BlockProcess::Settings& settings, std::size_t i,
                                 std::size_t count) {
  std::vector<double> row;
  for (std::size_t j = 0; j < count; ++j) row.push_back(correlation(distances, settings, i, j));
  return row;
}

class GrowingProcessTest : public testing::Test {
 protected:
  Cloud measured_{12, 1}, places_{9, 2};
  BlockProcess::Settings settings_{.lengths = {1.4, 2.5}, .noise = 0.07};
  BlockDistances own_ = between(measured_, measured_), to_places_ = between(measured_, places_);

  // The first `early` places are there from the start, the others come after six measurements.
  GrowingProcess grow(std::size_t early) const {
    const BlockDistances back = between(places_, measured_);
    GrowingProcess process(settings_.noise);
    for (std::size_t i = 0; i < early; ++i) process.add_place({});
    for (std::size_t i = 0; i < 12; ++i) {
      if (i == 6) {
        for (std::size_t p = early; p < 9; ++p) process.add_place(correlations(back, settings_, p, 6));
      }
      process.add_measurement(correlations(own_, settings_, i, i),
                              correlations(to_places_, settings_, i, process.places()));
    }
    return process;
  }
};

TEST_F(GrowingProcessTest, BelievesWhatIsBelievedAtOnce) {
  BlockProcess direct;
  direct.fit(own_, measured_.values, std::vector<double>(12, 1.0), settings_);
  const std::vector<Belief> expected = direct.believe(to_places_);
  const BlockDistances back = between(places_, measured_);
  for (const std::size_t early : {9, 4, 0}) {
    GrowingProcess process = grow(early);
    process.set_values(std::vector<double>(12, 7.0));  // values may change
    process.set_values(measured_.values);
    EXPECT_NEAR(process.mean(), direct.mean(), 1e-9);
    EXPECT_NEAR(process.amplitude(), direct.amplitude(), 1e-9);
    for (std::size_t p = 0; p < 9; ++p) {
      EXPECT_NEAR(process.belief(p).mean, expected[p].mean, 1e-8) << p;
      EXPECT_NEAR(*process.belief(p).deviation, *expected[p].deviation, 1e-8) << p;
      const Belief elsewhere = process.belief_at(correlations(back, settings_, p, 12));
      EXPECT_NEAR(elsewhere.mean, expected[p].mean, 1e-8) << p;
      EXPECT_NEAR(*elsewhere.deviation, *expected[p].deviation, 1e-8) << p;
    }
  }
}

// What has no value yet is as if it were measured with what is expected there.
TEST_F(GrowingProcessTest, PendingMeasurementsChangeNoMean) {
  GrowingProcess process = grow(9);
  GrowingProcess fewer(settings_.noise);
  for (std::size_t i = 0; i < 9; ++i) fewer.add_place({});
  for (std::size_t i = 0; i < 10; ++i) {
    fewer.add_measurement(correlations(own_, settings_, i, i), correlations(to_places_, settings_, i, 9));
  }
  const std::span<const double> ten = std::span(measured_.values).first(10);
  process.set_values(ten);
  fewer.set_values(ten);
  for (std::size_t p = 0; p < 9; ++p) {
    EXPECT_NEAR(process.belief(p).mean, fewer.belief(p).mean, 1e-9);
    EXPECT_LT(*process.belief(p).deviation, *fewer.belief(p).deviation);
  }
  EXPECT_NEAR(process.amplitude(), fewer.amplitude(), 1e-9);
}

TEST(GrowingProcess, TakesEqualPointsWithoutNoise) {
  GrowingProcess process(0);
  process.add_place({});
  process.add_measurement({}, std::vector<double>{0.5});
  process.add_measurement(std::vector<double>{1.0}, std::vector<double>{0.5});
  process.set_values(std::vector<double>{1, 1});
  EXPECT_NEAR(process.belief(0).mean, 1, 1e-6);
  EXPECT_TRUE(std::isfinite(*process.belief(0).deviation));
}

// Of two kinds of features the one that tells nothing gets a great length, so that it makes no difference.
TEST(BlockProcess, FindsWhichFeaturesMatter) {
  Random random(3);
  Points telling(60, 1), idle(60, 1);
  std::vector<double> values;
  for (std::size_t i = 0; i < 60; ++i) {
    telling.row(i)[0] = static_cast<float>(6 * random.uniform());
    idle.row(i)[0] = static_cast<float>(6 * random.uniform());
    values.push_back(std::sin(telling.row(i)[0]) + 0.02 * random.normal());
  }
  BlockDistances distances = block_distances(telling, telling);
  distances.blocks.push_back(block_distances(idle, idle).blocks[0]);
  BlockProcess process;
  process.fit(distances, values, std::vector<double>(60, 1.0));
  EXPECT_GT(process.settings().lengths[1], 3 * process.settings().lengths[0]);
  EXPECT_NEAR(process.noise(), 0.02, 0.015);
}

}  // namespace
}  // namespace actforge
