#include "actforge/data/normalisation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "actforge/base/random.h"
#include "actforge/data/dataset.h"
#include "tests/data/problems.h"
#include "tests/data/scratch.h"

namespace actforge {
namespace {

// The definition, pixel by pixel in two passes.
void check_stats(const ImageSet& set, const std::vector<std::uint32_t>& images) {
  const ChannelStats stats = channel_stats(set, images);
  const auto channels = static_cast<std::size_t>(set.shape.channels);
  ASSERT_EQ(stats.mean.size(), channels);
  ASSERT_EQ(stats.deviation.size(), channels);
  for (std::size_t channel = 0; channel < channels; ++channel) {
    const auto sum = [&](auto term) {
      long double total = 0;
      for (const std::uint32_t image : images) {
        for (std::size_t i = channel; i < set.shape.size(); i += channels) {
          total += term(static_cast<long double>(set.image(image)[i]) / set.max_value);
        }
      }
      const std::size_t pixels = set.shape.size() / channels;
      return total / static_cast<long double>(images.size() * pixels);
    };
    const long double mean = sum([](long double x) { return x; });
    const long double variance = sum([&](long double x) { return (x - mean) * (x - mean); });
    EXPECT_NEAR(stats.mean[channel], static_cast<double>(mean), 1e-14);
    EXPECT_NEAR(stats.deviation[channel], std::sqrt(static_cast<double>(variance)), 1e-14);
  }
}

TEST(ChannelStats, AgreeWithTheDefinition) {
  for (const int channels : {1, 2, 3}) {
    const ImageSet set = random_images({.channels = channels, .height = 5, .width = 7}, 40, 255);
    check_stats(set, {0});
    check_stats(set, {3, 5, 3, 39});
    check_stats(set, all_of(set));
  }
  const ImageSet digits = load(find_dataset("digits"), Part::kTrain);
  check_stats(digits, all_of(digits));
}

TEST(ChannelStats, NeedImages) {
  const ImageSet set = random_images({.channels = 1, .height = 5, .width = 7}, 3, 255);
  EXPECT_EQ(message_of([&] { channel_stats(set, {}); }), "no images to take the mean of");
}

TEST(Normalisation, ModesBuildOnEachOther) {
  const ImageSet set = random_images({.channels = 3, .height = 4, .width = 4}, 10, 16);
  const std::vector<std::uint32_t> images = {1, 2, 7};
  const ChannelStats stats = channel_stats(set, images);
  const std::vector<double> zeros(3, 0.0), ones(3, 1.0);
  const Normalisation none = make_normalisation(Normalise::kNone, set, images);
  EXPECT_EQ(none.max_value, 16);
  EXPECT_EQ(none.shift, zeros);
  EXPECT_EQ(none.scale, ones);
  const Normalisation center = make_normalisation(Normalise::kCenter, set, images);
  EXPECT_EQ(center.shift, stats.mean);
  EXPECT_EQ(center.scale, ones);
  const Normalisation standard = make_normalisation(Normalise::kStandard, set, images);
  EXPECT_EQ(standard.shift, stats.mean);
  EXPECT_EQ(standard.scale, stats.deviation);
}

TEST(Normalisation, AConstantChannelIsNotScaled) {
  ImageSet set = random_images({.channels = 2, .height = 3, .width = 3}, 4, 255);
  for (std::size_t i = 1; i < set.pixels.size(); i += 2) set.pixels[i] = 77;
  const Normalisation standard = make_normalisation(Normalise::kStandard, set, all_of(set));
  EXPECT_GT(standard.scale[0], 0.1);
  EXPECT_EQ(standard.scale[1], 1.0);
  EXPECT_EQ(standard.shift[1], 77.0 / 255);
}

TEST(Normalise, NamesGoBothWays) {
  for (const Normalise mode : {Normalise::kNone, Normalise::kCenter, Normalise::kStandard}) {
    EXPECT_EQ(find_normalise(normalise_name(mode)), mode);
  }
  EXPECT_EQ(message_of([] { find_normalise("centre"); }),
            "code 2: unknown normalisation 'centre'; did you mean 'center'?");
}

}  // namespace
}  // namespace actforge
