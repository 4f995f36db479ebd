#include "actforge/data/split.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "actforge/data/dataset.h"
#include "tests/data/scratch.h"

namespace actforge {
namespace {

// Class c has 100 + 10c images, all mixed up.
std::vector<int> uneven_labels(int classes) {
  std::vector<int> labels;
  for (int round = 0; round < 100 + 10 * classes; ++round) {
    for (int c = 0; c < classes; ++c) {
      if (round < 100 + 10 * c) labels.push_back(c);
    }
  }
  return labels;
}

std::vector<std::size_t> counts(const std::vector<int>& labels, const std::vector<std::uint32_t>& images, int classes) {
  std::vector<std::size_t> result(static_cast<std::size_t>(classes));
  for (const std::uint32_t image : images) ++result[static_cast<std::size_t>(labels.at(image))];
  return result;
}

bool is_part_of(const std::vector<std::uint32_t>& few, const std::vector<std::uint32_t>& many) {
  return std::includes(many.begin(), many.end(), few.begin(), few.end());
}

TEST(BalancedSplit, EverySizeIsEven) {
  const std::vector<int> labels = uneven_labels(7);
  for (const std::size_t validation : {0, 1, 6, 7, 50, 99, 350}) {
    for (const std::size_t subset : {0, 1, 13, 70, 200, 349}) {
      const Split split = balanced_split(labels, 7, {.validation = validation, .subset = subset, .seed = 5});
      ASSERT_EQ(split.validation.size(), validation);
      ASSERT_EQ(split.train.size(), subset);
      for (const auto* images : {&split.train, &split.validation}) {
        EXPECT_TRUE(std::is_sorted(images->begin(), images->end()));
        const auto [least, most] = std::ranges::minmax(counts(labels, *images, 7));
        EXPECT_LE(most - least, images->size() % 7 == 0 ? 0u : 1u);
      }
      std::set<std::uint32_t> all(split.train.begin(), split.train.end());
      all.insert(split.validation.begin(), split.validation.end());
      EXPECT_EQ(all.size(), validation + subset);
    }
  }
}

TEST(BalancedSplit, WithoutASubsetTheRestIsForTraining) {
  const std::vector<int> labels = uneven_labels(3);
  const Split split = balanced_split(labels, 3, {.validation = 30, .seed = 1});
  std::vector<std::uint32_t> all = split.train;
  all.insert(all.end(), split.validation.begin(), split.validation.end());
  std::sort(all.begin(), all.end());
  ASSERT_EQ(all.size(), labels.size());
  for (std::uint32_t i = 0; i < all.size(); ++i) ASSERT_EQ(all[i], i);
}

TEST(BalancedSplit, SubsetsAreNestedAndValidationStays) {
  const std::vector<int> labels = uneven_labels(5);
  const Split all = balanced_split(labels, 5, {.validation = 52, .seed = 9});
  std::vector<std::uint32_t> smaller;
  for (std::size_t subset = 0; subset <= 400; ++subset) {
    const Split split = balanced_split(labels, 5, {.validation = 52, .subset = subset, .seed = 9});
    EXPECT_EQ(split.validation, all.validation);
    EXPECT_TRUE(is_part_of(smaller, split.train)) << subset;
    EXPECT_TRUE(is_part_of(split.train, all.train)) << subset;
    smaller = split.train;
  }
}

TEST(BalancedSplit, TheSeedDecides) {
  const std::vector<int> labels = uneven_labels(5);
  const auto train = [&](std::uint64_t seed) {
    return balanced_split(labels, 5, {.validation = 50, .subset = 100, .seed = seed}).train;
  };
  EXPECT_EQ(train(1), train(1));
  EXPECT_NE(train(1), train(2));
}

// Over many seeds every image is drawn equally often within its class, and every class gets the odd image.
TEST(BalancedSplit, DrawsUniformly) {
  std::vector<int> labels(40);
  for (std::size_t i = 0; i < 40; ++i) labels[i] = static_cast<int>(i % 4);
  std::map<std::uint32_t, int> drawn;
  std::vector<int> odd(4);
  const int rounds = 4000;
  for (int seed = 0; seed < rounds; ++seed) {
    const Split split =
        balanced_split(labels, 4, {.validation = 9, .subset = 0, .seed = static_cast<std::uint64_t>(seed)});
    for (const std::uint32_t image : split.validation) ++drawn[image];
    const auto of_class = counts(labels, split.validation, 4);
    ++odd[static_cast<std::size_t>(std::ranges::max_element(of_class) - of_class.begin())];
  }
  const double expected = 9.0 / 40 * rounds;
  double statistic = 0;
  for (std::uint32_t image = 0; image < 40; ++image) {
    statistic += (drawn[image] - expected) * (drawn[image] - expected) / expected;
  }
  EXPECT_LT(statistic, 73);  // chi-square with 39 degrees of freedom exceeds it once in a thousand
  for (const int count : odd) EXPECT_NEAR(count, rounds / 4.0, 120);
}

TEST(BalancedSplit, SaysWhatIsTheMost) {
  const std::vector<int> labels = uneven_labels(3);  // 100, 110, 120
  const auto error = [&](std::size_t validation, std::optional<std::size_t> subset) {
    return message_of([&] { balanced_split(labels, 3, {.validation = validation, .subset = subset}); });
  };
  EXPECT_EQ(error(303, {}),
            "not enough images for a validation set of 303, equally many of each class; the largest has 300");
  EXPECT_EQ(error(150, 157),
            "not enough images for a training set of 157, equally many of each class; the largest has 150");
  EXPECT_EQ(error(300, 1), "not enough images for a training set of 1, equally many of each class; the largest has 0");
  EXPECT_EQ(error(150, 150), "no error");
  EXPECT_EQ(error(static_cast<std::size_t>(-1), {}).find("not enough images"), 0u);
}

// What it names as the most is possible, and one more is not, whatever class is the scarce one.
TEST(BalancedSplit, TheMostIsPossible) {
  const std::vector<int> labels = uneven_labels(4);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    std::size_t most = 395;
    while (message_of([&] { balanced_split(labels, 4, {.subset = most + 1, .seed = seed}); }) == "no error") ++most;
    EXPECT_GE(most, 400u);
    EXPECT_LE(most, 403u);
    EXPECT_NE(message_of([&] {
                balanced_split(labels, 4, {.subset = 1000, .seed = seed});
              }).find("the largest has " + std::to_string(most)),
              std::string::npos);
  }
}

TEST(BalancedSplit, RefusesLabelsThatAreNoClass) {
  const std::vector<int> high = {0, 1, 2}, negative = {0, -1};
  EXPECT_EQ(message_of([&] { balanced_split(high, 2, {}); }), "label 2 in a set of 2 classes");
  EXPECT_EQ(message_of([&] { balanced_split(negative, 2, {}); }), "label -1 in a set of 2 classes");
  EXPECT_TRUE(balanced_split({}, 2, {}).train.empty());
  EXPECT_TRUE(balanced_split({}, 0, {}).train.empty());
  EXPECT_NE(message_of([&] { balanced_split({}, 0, {.validation = 1}); }), "no error");
}

// A stored study names its split by seed and sizes: what they mean may not change.
TEST(BalancedSplit, OfDigits) {
  const ImageSet set = load(find_dataset("digits"), Part::kTrain);
  const Split split = balanced_split(set.labels, set.classes, {.validation = 300, .subset = 500, .seed = 1});
  EXPECT_EQ(counts(set.labels, split.validation, 10), std::vector<std::size_t>(10, 30));
  EXPECT_EQ(counts(set.labels, split.train, 10), std::vector<std::size_t>(10, 50));
  EXPECT_EQ(std::vector(split.validation.begin(), split.validation.begin() + 5),
            (std::vector<std::uint32_t>{2, 18, 26, 28, 29}));
  EXPECT_EQ(std::vector(split.train.begin(), split.train.begin() + 5), (std::vector<std::uint32_t>{1, 4, 5, 7, 11}));
}

TEST(SplitInProportion, EachClassHasTheSameShare) {
  std::vector<int> labels(100, 0);
  for (std::size_t i = 0; i < 20; ++i) labels[5 * i] = 1;
  const auto ones = [&](const std::vector<std::uint32_t>& images) {
    return std::count_if(images.begin(), images.end(), [&](std::uint32_t i) { return labels[i] == 1; });
  };
  const Split split = balanced_split(labels, 2, {.validation = 10, .subset = 50, .seed = 4, .in_proportion = true});
  EXPECT_EQ(split.validation.size(), 10u);
  EXPECT_EQ(ones(split.validation), 2);
  EXPECT_EQ(split.train.size(), 50u);
  EXPECT_EQ(ones(split.train), 10);
  const Split less = balanced_split(labels, 2, {.validation = 10, .subset = 20, .seed = 4, .in_proportion = true});
  EXPECT_EQ(less.validation, split.validation);
  EXPECT_TRUE(std::includes(split.train.begin(), split.train.end(), less.train.begin(), less.train.end()));
  EXPECT_NE(balanced_split(labels, 2, {.validation = 10, .seed = 5, .in_proportion = true}).validation,
            split.validation);
  std::vector<std::uint32_t> both;
  std::set_intersection(split.train.begin(), split.train.end(), split.validation.begin(), split.validation.end(),
                        std::back_inserter(both));
  EXPECT_TRUE(both.empty());
  EXPECT_THROW(balanced_split(labels, 2, {.validation = 101, .in_proportion = true}), Error);
}

TEST(SplitInProportion, TheDatasOwnValidationPartIsKeptApart) {
  const std::vector<int> labels = {0, 1, 0, 1, 0, 1, 0, 1, 1};
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Split all = balanced_split(labels, 2, {.validation = 3, .seed = seed, .held_out = 3, .in_proportion = true});
    EXPECT_EQ(all.validation, (std::vector<std::uint32_t>{6, 7, 8}));
    EXPECT_EQ(all.train, (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5}));
    const Split some =
        balanced_split(labels, 2, {.validation = 2, .subset = 2, .seed = seed, .held_out = 3, .in_proportion = true});
    EXPECT_GE(some.validation[0], 6u);
    EXPECT_LT(some.train[1], 6u);
  }
}

}  // namespace
}  // namespace actforge
