#include "actforge/data/batch_maker.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "tests/data/problems.h"
#include "tests/data/scratch.h"

namespace actforge {
namespace {

Normalisation some_normalisation(const ImageSet& set) {
  return make_normalisation(Normalise::kStandard, set, all_of(set));
}

// The definition: normalise every pixel, put zeros around, cut out, turn around.
std::vector<float> expected_image(const ImageSet& set, std::uint32_t image, const Normalisation& how, int pad,
                                  const Crop& place) {
  const int channels = set.shape.channels, height = set.shape.height, width = set.shape.width;
  const auto padded = [&](int y, int x, int c) {
    y -= pad;
    x -= pad;
    if (y < 0 || y >= height || x < 0 || x >= width) return 0.0f;
    const auto channel = static_cast<std::size_t>(c);
    const int at = (y * width + x) * channels + c;
    const double byte = set.image(image)[static_cast<std::size_t>(at)];
    return static_cast<float>((byte / how.max_value - how.shift[channel]) / how.scale[channel]);
  };
  std::vector<float> pixels;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      for (int c = 0; c < channels; ++c) {
        pixels.push_back(padded(y + place.down, (place.flipped ? width - 1 - x : x) + place.right, c));
      }
    }
  }
  return pixels;
}

struct Candidate {
  Crop place;
  std::vector<float> pixels;
};

std::vector<Candidate> candidates(const ImageSet& set, std::uint32_t image, const Normalisation& how, int pad) {
  std::vector<Candidate> all;
  for (const bool flipped : {false, true}) {
    for (int down = 0; down <= 2 * pad; ++down) {
      for (int right = 0; right <= 2 * pad; ++right) {
        const Crop place{.flipped = flipped, .down = down, .right = right};
        all.push_back({place, expected_image(set, image, how, pad, place)});
      }
    }
  }
  return all;
}

// Every image of a batch is one of those that the augmentation may give; gives which.
std::vector<Crop> find_placements(const ImageSet& set, const std::vector<std::uint32_t>& images,
                                  const Normalisation& how, const Augmentation& augmentation, const Batch& batch) {
  std::map<std::uint32_t, std::vector<Candidate>> known;
  std::vector<Crop> found;
  EXPECT_EQ(batch.size(), images.size());
  EXPECT_EQ(batch.pixels.size(), images.size() * set.shape.size());
  for (std::size_t i = 0; i < images.size(); ++i) {
    EXPECT_EQ(batch.labels[i], set.labels[images[i]]);
    if (!known.contains(images[i])) known[images[i]] = candidates(set, images[i], how, augmentation.pad);
    const float* pixels = batch.pixels.data() + i * set.shape.size();
    const std::size_t before = found.size();
    for (const Candidate& candidate : known[images[i]]) {
      if (std::equal(candidate.pixels.begin(), candidate.pixels.end(), pixels)) found.push_back(candidate.place);
    }
    EXPECT_EQ(found.size(), before + 1) << "image " << i;
  }
  return found;
}

TEST(BatchMaker, EveryImageIsAsDefined) {
  for (const int channels : {1, 2, 3, 4}) {
    for (const auto& [height, width] : {std::pair{6, 6}, {4, 7}, {9, 3}}) {
      const ImageSet set = random_images({.channels = channels, .height = height, .width = width}, 30, 255);
      const Normalisation how = some_normalisation(set);
      for (const int pad : {0, 1, 2}) {
        for (const bool flip : {false, true}) {
          Batch batch;
          const Augmentation augmentation{.flip = flip, .pad = pad};
          BatchMaker(set, how, augmentation).make(all_of(set), 0, 7, batch);
          for (const Crop& place : find_placements(set, all_of(set), how, augmentation, batch)) {
            EXPECT_LE(place.flipped, flip);
          }
        }
      }
    }
  }
}

TEST(BatchMaker, ValuesAreRoundedOnce) {
  const ImageSet set = random_images({.channels = 1, .height = 8, .width = 8}, 5, 16);
  Batch batch;
  BatchMaker(set, make_normalisation(Normalise::kNone, set, {}), {}).make(all_of(set), 0, 0, batch);
  for (std::size_t i = 0; i < set.pixels.size(); ++i)
    ASSERT_EQ(batch.pixels[i], static_cast<float>(set.pixels[i]) / 16);
  EXPECT_EQ(*std::max_element(batch.pixels.begin(), batch.pixels.end()), 1.0f);
}

// What is done to an image depends on where it is in the epoch, not on the batch it is in.
TEST(BatchMaker, DependsOnThePositionAlone) {
  const ImageSet set = random_images({.channels = 3, .height = 6, .width = 6}, 20, 255);
  const BatchMaker maker(set, some_normalisation(set), {.flip = true, .pad = 2});
  const std::vector<std::uint32_t> images = all_of(set);
  Batch whole, part;
  maker.make(images, 100, 5, whole);
  maker.make(std::span(images).subspan(13, 4), 113, 5, part);
  const auto size = static_cast<std::ptrdiff_t>(set.shape.size());
  EXPECT_TRUE(std::equal(part.pixels.begin(), part.pixels.end(), whole.pixels.begin() + 13 * size));
  maker.make(std::span(images).subspan(13, 4), 113, 6, part);
  EXPECT_FALSE(std::equal(part.pixels.begin(), part.pixels.end(), whole.pixels.begin() + 13 * size));
}

// Half of the images are flipped, and each of the 25 crops comes equally often, also among the flipped.
TEST(BatchMaker, DrawsUniformly) {
  const ImageSet set = random_images({.channels = 1, .height = 6, .width = 6}, 1, 255);
  const Normalisation how = some_normalisation(set);
  const Augmentation augmentation{.flip = true, .pad = 2};
  const std::vector<std::uint32_t> images(20'000, 0);
  Batch batch;
  BatchMaker(set, how, augmentation).make(images, 0, 3, batch);
  std::map<std::tuple<bool, int, int>, int> drawn;
  int flipped = 0;
  for (const Crop& place : find_placements(set, images, how, augmentation, batch)) {
    ++drawn[{place.flipped, place.down, place.right}];
    flipped += place.flipped ? 1 : 0;
  }
  EXPECT_EQ(drawn.size(), 50u);
  EXPECT_NEAR(flipped, 10'000, 4 * 71);
  double statistic = 0;
  for (const auto& [place, count] : drawn) statistic += (count - 400.0) * (count - 400.0) / 400.0;
  EXPECT_LT(statistic, 85.4);  // chi-square with 49 degrees of freedom exceeds it once in a thousand
}

TEST(BatchMaker, RefusesWhatCannotBe) {
  const ImageSet set = random_images({.channels = 3, .height = 6, .width = 4}, 3, 255);
  const Normalisation how = some_normalisation(set);
  EXPECT_EQ(message_of([&] { BatchMaker(set, how, {.flip = false, .pad = 3}); }), "no error");
  EXPECT_EQ(message_of([&] { BatchMaker(set, how, {.flip = false, .pad = 4}); }),
            "images of 6 by 4 are padded with 0 to 3 pixels, not 4");
  EXPECT_EQ(message_of([&] { BatchMaker(set, how, {.flip = false, .pad = -1}); }),
            "images of 6 by 4 are padded with 0 to 3 pixels, not -1");
  const ImageSet grey = random_images({.channels = 1, .height = 6, .width = 4}, 3, 255);
  EXPECT_EQ(message_of([&] { BatchMaker(grey, how, {}); }), "the normalisation is for another number of channels");
}

// The same numbers as bytes and as floats become the same batches, whatever is done to the images.
TEST(BatchMaker, NumbersThatAreNotBytesBecomeTheSame) {
  for (const int channels : {1, 3, 5}) {
    const ImageSet bytes = random_images({.channels = channels, .height = 6, .width = 4}, 20, 255);
    ImageSet numbers = bytes;
    numbers.pixels.clear();
    numbers.max_value = 1;
    for (const std::uint8_t pixel : bytes.pixels) numbers.values.push_back(static_cast<float>(pixel) / 255.0f);
    const Augmentation augmentation = {.flip = true, .pad = 2};
    Batch a, b;
    const auto how = [](const ImageSet& set) { return make_normalisation(Normalise::kStandard, set, all_of(set)); };
    BatchMaker(bytes, how(bytes), augmentation).make(all_of(bytes), 0, 9, a);
    BatchMaker(numbers, how(numbers), augmentation).make(all_of(numbers), 0, 9, b);
    ASSERT_EQ(a.pixels.size(), b.pixels.size());
    for (std::size_t i = 0; i < a.pixels.size(); ++i) ASSERT_NEAR(a.pixels[i], b.pixels[i], 1e-5);
  }
}

TEST(BatchMaker, MissingNumbersAndIndicators) {
  ImageSet set{.shape = {.channels = 3, .height = 1, .width = 1},
               .max_value = 1,
               .classes = 2,
               .pixels = {},
               .labels = {0, 1, 0},
               .values = {1, 0, 7, NAN, 1, 7, 5, 1, 7},
               .fixed = {0, 1, 0}};
  Batch batch;
  BatchMaker(set, make_normalisation(Normalise::kStandard, set, all_of(set)), {}).make(all_of(set), 0, 0, batch);
  EXPECT_EQ(batch.pixels, (std::vector<float>{-1, 0, 0, 0, 1, 0, 1, 1, 0}));
  BatchMaker(set, make_normalisation(Normalise::kNone, set, all_of(set)), {}).make(all_of(set), 0, 0, batch);
  EXPECT_EQ(batch.pixels, (std::vector<float>{1, 0, 7, 3, 1, 7, 5, 1, 7}));
  // The mean of the chosen rows alone.
  const std::vector<std::uint32_t> first = {0, 1};
  BatchMaker(set, make_normalisation(Normalise::kNone, set, first), {}).make(all_of(set), 0, 0, batch);
  EXPECT_EQ(batch.pixels[3], 1);
}

}  // namespace
}  // namespace actforge
