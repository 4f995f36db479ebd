#include "actforge/data/batch_loader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "actforge/data/dataset.h"
#include "actforge/data/split.h"
#include "tests/data/problems.h"
#include "tests/data/scratch.h"

namespace actforge {
namespace {

struct Epoch {
  std::vector<float> pixels;
  std::vector<std::int64_t> labels;
  std::vector<std::size_t> sizes;
  bool operator==(const Epoch&) const = default;
};

Epoch run(BatchLoader& loader, std::uint64_t epoch) {
  Epoch all;
  loader.start(epoch);
  while (const Batch* batch = loader.next()) {
    all.pixels.insert(all.pixels.end(), batch->pixels.begin(), batch->pixels.end());
    all.labels.insert(all.labels.end(), batch->labels.begin(), batch->labels.end());
    all.sizes.push_back(batch->size());
  }
  return all;
}

// Image i is of class i, and all its pixels are i.
ImageSet numbered_images(int count) {
  ImageSet set{
      .shape = {.channels = 1, .height = 2, .width = 2}, .max_value = 1, .classes = count, .pixels = {}, .labels = {}};
  for (int i = 0; i < count; ++i) {
    set.pixels.insert(set.pixels.end(), 4, static_cast<std::uint8_t>(i));
    set.labels.push_back(i);
  }
  return set;
}

Normalisation plain(const ImageSet& set) { return make_normalisation(Normalise::kNone, set, {}); }

TEST(BatchLoader, WithoutShufflingKeepsTheOrder) {
  const ImageSet set = numbered_images(20);
  BatchLoader loader(set, {3, 1, 4, 1, 5, 9, 2}, plain(set), {.batch_size = 3});
  EXPECT_EQ(loader.images(), 7u);
  EXPECT_EQ(loader.batches(), 3u);
  EXPECT_EQ(loader.next(), nullptr);
  for (const std::uint64_t epoch : {0, 5}) {
    const Epoch all = run(loader, epoch);
    EXPECT_EQ(all.labels, (std::vector<std::int64_t>{3, 1, 4, 1, 5, 9, 2}));
    EXPECT_EQ(all.sizes, (std::vector<std::size_t>{3, 3, 1}));
    for (std::size_t i = 0; i < all.pixels.size(); ++i) EXPECT_EQ(all.pixels[i], static_cast<float>(all.labels[i / 4]));
  }
}

TEST(BatchLoader, ShufflesAnewInEveryEpoch) {
  const ImageSet set = numbered_images(50);
  BatchLoader loader(set, all_of(set), plain(set), {.batch_size = 8, .shuffle = true, .seed = 4});
  const Epoch first = run(loader, 0), second = run(loader, 1);
  EXPECT_NE(first.labels, second.labels);
  EXPECT_EQ(run(loader, 0), first);
  for (Epoch all : {first, second}) {
    for (std::size_t i = 0; i < all.pixels.size(); ++i) EXPECT_EQ(all.pixels[i], static_cast<float>(all.labels[i / 4]));
    std::sort(all.labels.begin(), all.labels.end());
    for (std::int64_t i = 0; i < 50; ++i) ASSERT_EQ(all.labels[static_cast<std::size_t>(i)], i);
  }
  BatchLoader other(set, all_of(set), plain(set), {.batch_size = 8, .shuffle = true, .seed = 5});
  EXPECT_NE(run(other, 0).labels, first.labels);
}

TEST(BatchLoader, EveryOrderIsEquallyLikely) {
  const ImageSet set = numbered_images(4);
  BatchLoader loader(set, all_of(set), plain(set), {.batch_size = 4, .shuffle = true, .threads = 0});
  std::map<std::vector<std::int64_t>, int> orders;
  for (std::uint64_t epoch = 0; epoch < 12'000; ++epoch) ++orders[run(loader, epoch).labels];
  EXPECT_EQ(orders.size(), 24u);
  double statistic = 0;
  for (const auto& [order, count] : orders) statistic += (count - 500.0) * (count - 500.0) / 500.0;
  EXPECT_LT(statistic, 49.7);  // chi-square with 23 degrees of freedom exceeds it once in a thousand
}

TEST(BatchLoader, ThreadsChangeNothing) {
  const ImageSet set = random_images({.channels = 3, .height = 8, .width = 8}, 203, 255);
  const Normalisation how = make_normalisation(Normalise::kStandard, set, all_of(set));
  const auto epoch = [&](std::size_t threads, std::size_t prefetch, std::size_t batch_size) {
    const BatchOptions options{.batch_size = batch_size,
                               .shuffle = true,
                               .augmentation = {.flip = true, .pad = 2},
                               .seed = 11,
                               .threads = threads,
                               .prefetch = prefetch};
    BatchLoader loader(set, all_of(set), how, options);
    run(loader, 0);
    return run(loader, 3);
  };
  const Epoch expected = epoch(0, 0, 10);
  for (const std::size_t threads : {1, 2, 3, 8}) {
    for (const std::size_t prefetch : {1, 2, 7, 100}) EXPECT_EQ(epoch(threads, prefetch, 10), expected);
  }
  EXPECT_EQ(epoch(2, 4, 64).pixels, expected.pixels);  // nor does the size of the batches
}

TEST(BatchLoader, StartsAgainAndEndsInTheMiddle) {
  const ImageSet set = random_images({.channels = 1, .height = 8, .width = 8}, 300, 255);
  const BatchOptions options{.batch_size = 7, .shuffle = true, .augmentation = {.flip = true, .pad = 1}, .threads = 3};
  const BatchOptions alone{.batch_size = 7, .shuffle = true, .augmentation = {.flip = true, .pad = 1}, .threads = 0};
  BatchLoader loader(set, all_of(set), plain(set), options), reference(set, all_of(set), plain(set), alone);
  for (std::uint64_t epoch = 0; epoch < 30; ++epoch) {
    loader.start(epoch);
    reference.start(epoch);
    for (std::uint64_t i = 0; i < epoch; ++i) {
      const Batch *batch = loader.next(), *expected = reference.next();
      ASSERT_EQ(batch->pixels, expected->pixels);
      ASSERT_EQ(batch->labels, expected->labels);
    }
  }
}

TEST(BatchLoader, NoImagesMakeNoBatches) {
  const ImageSet set = numbered_images(3);
  BatchLoader loader(set, {}, plain(set), {});
  EXPECT_EQ(loader.batches(), 0u);
  loader.start(0);
  EXPECT_EQ(loader.next(), nullptr);
}

TEST(BatchLoader, RefusesWhatCannotBe) {
  ImageSet set = numbered_images(3);
  EXPECT_EQ(message_of([&] { BatchLoader(set, {0, 3}, plain(set), {}); }), "there is no image 3 in a set of 3");
  EXPECT_EQ(message_of([&] { BatchLoader(set, {0}, plain(set), {.batch_size = 0}); }),
            "a batch has at least one image");
  EXPECT_EQ(message_of([&] { BatchLoader(set, {0}, plain(set), {.augmentation = {.pad = 2}}); }),
            "images of 2 by 2 are padded with 0 to 1 pixels, not 2");
  set.pixels.pop_back();
  EXPECT_EQ(message_of([&] { BatchLoader(set, {0}, plain(set), {}); }),
            "the set has 3 labels and pixels for another number of images");
}

// The mean of what the network sees is zero and its deviation one, to the precision of float.
TEST(BatchLoader, StandardisesFashionMnist) {
  const Dataset& row = find_dataset("fashion-mnist");
  if (!where_is(row)) GTEST_SKIP() << "not here; to get it: " << row.get_with;
  const ImageSet set = load(row, Part::kTrain);
  const Split split = balanced_split(set.labels, set.classes, {.validation = row.validation, .subset = 10'000});
  const Normalisation how = make_normalisation(Normalise::kStandard, set, split.train);
  BatchLoader loader(set, split.train, how, {.shuffle = true, .threads = 2});
  double sum = 0, squares = 0, count = 0;
  loader.start(0);
  while (const Batch* batch = loader.next()) {
    for (const float pixel : batch->pixels) {
      sum += pixel;
      squares += static_cast<double>(pixel) * pixel;
      ++count;
    }
  }
  EXPECT_EQ(count, 10'000.0 * 784);
  EXPECT_NEAR(sum / count, 0, 1e-7);
  EXPECT_NEAR(squares / count, 1, 1e-6);
}

}  // namespace
}  // namespace actforge
