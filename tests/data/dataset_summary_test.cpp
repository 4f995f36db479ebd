#include "actforge/data/dataset_summary.h"

#include <gtest/gtest.h>

#include "tests/data/problems.h"
#include "tests/data/scratch.h"

namespace actforge {
namespace {

TEST(ImagesByClass, EachImageIsInTheListOfItsLabel) {
  ImageSet set = random_images({}, 7, 255);
  set.classes = 4;
  set.labels = {2, 0, 2, 3, 0, 2, 0};
  EXPECT_EQ(images_by_class(set, all_of(set)), (ImagesByClass{{1, 4, 6}, {}, {0, 2, 5}, {3}}));
  EXPECT_EQ(images_by_class(set, std::vector<std::uint32_t>{5, 3, 0}), (ImagesByClass{{}, {}, {5, 0}, {3}}));
  EXPECT_EQ(images_by_class(set, {}), ImagesByClass(4));
}

TEST(DatasetSummary, IsOfTheTrainingPartAsItIsSplit) {
  const Dataset& digits = find_dataset("digits");
  const DatasetSummary summary = summarise(digits, {.subset = 203, .validation = 50, .seed = 3});
  EXPECT_EQ(summary.images.size(), digits.train_count);
  const Split split = balanced_split(summary.images.labels, 10, {.validation = 50, .subset = 203, .seed = 3});
  EXPECT_EQ(summary.split.train, split.train);
  EXPECT_EQ(summary.split.validation, split.validation);
  EXPECT_EQ(summary.stats.mean, channel_stats(summary.images, split.train).mean);
  EXPECT_EQ(summary.stats.deviation, channel_stats(summary.images, split.train).deviation);
  ASSERT_EQ(summary.train.size(), 10u);
  ASSERT_EQ(summary.validation.size(), 10u);
  std::size_t train = 0;
  for (std::size_t c = 0; c < 10; ++c) {
    EXPECT_EQ(summary.validation[c].size(), 5u);
    EXPECT_TRUE(summary.train[c].size() == 20 || summary.train[c].size() == 21) << c;
    train += summary.train[c].size();
    for (const std::uint32_t image : summary.train[c]) EXPECT_EQ(summary.images.labels[image], static_cast<int>(c));
  }
  EXPECT_EQ(train, 203u);
}

TEST(DatasetSummary, HoldsOutWhatTheDataSetSays) {
  const Dataset& digits = find_dataset("digits");
  const DatasetSummary summary = summarise(digits, {});
  EXPECT_EQ(summary.split.validation.size(), digits.validation);
  EXPECT_EQ(summary.split.train.size(), digits.train_count - digits.validation);
  EXPECT_THROW(summarise(digits, {.subset = digits.train_count + 1}), Error);
}

}  // namespace
}  // namespace actforge
