#include "actforge/data/dataset.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "actforge/base/error.h"
#include "actforge/data/normalisation.h"

namespace actforge {
namespace {

std::vector<int> class_counts(const ImageSet& set) {
  std::vector<int> counts(static_cast<std::size_t>(set.classes));
  for (const int label : set.labels) ++counts.at(static_cast<std::size_t>(label));
  return counts;
}

// Images of each class as published; those of digits were counted with zcat and awk.
const std::map<std::string_view, std::pair<std::vector<int>, std::vector<int>>> kCounts = {
    {"digits", {{151, 161, 143, 131, 147, 154, 150, 136, 127, 138}, {27, 21, 34, 52, 34, 28, 31, 43, 47, 42}}},
    {"fashion-mnist", {std::vector<int>(10, 6000), std::vector<int>(10, 1000)}},
    {"mnist",
     {{5923, 6742, 5958, 6131, 5842, 5421, 5918, 6265, 5851, 5949},
      {980, 1135, 1032, 1010, 982, 892, 958, 1028, 974, 1009}}},
    {"cifar10", {std::vector<int>(10, 5000), std::vector<int>(10, 1000)}},
};

// What other programs have for the mean of each channel over all training images.
const std::map<std::string_view, std::vector<double>> kMeans = {
    {"fashion-mnist", {0.2860}}, {"mnist", {0.1307}}, {"cifar10", {0.4914, 0.4822, 0.4465}}};

void check_means(const ImageSet& set, const std::vector<double>& expected) {
  std::vector<std::uint32_t> images(set.size());
  std::iota(images.begin(), images.end(), 0u);
  const ChannelStats stats = channel_stats(set, images);
  ASSERT_EQ(stats.mean.size(), expected.size());
  for (std::size_t c = 0; c < expected.size(); ++c) EXPECT_NEAR(stats.mean[c], expected[c], 1e-4);
}

// What holds for every row, on both parts.
void check_part(const Dataset& row, Part part) {
  const ImageSet set = load(row, part);
  EXPECT_EQ(set.shape, row.shape);
  EXPECT_EQ(set.max_value, row.max_value);
  EXPECT_EQ(set.classes, row.classes());
  EXPECT_EQ(set.size(), row.count(part));
  ASSERT_EQ(set.pixels.size(), set.size() * set.shape.size());
  EXPECT_EQ(*std::max_element(set.pixels.begin(), set.pixels.end()), row.max_value);
  if (const auto counts = kCounts.find(row.name); counts != kCounts.end()) {
    EXPECT_EQ(class_counts(set), part == Part::kTrain ? counts->second.first : counts->second.second);
  }
  if (const auto means = kMeans.find(row.name); means != kMeans.end() && part == Part::kTrain) {
    check_means(set, means->second);
  }
}

class EveryDataset : public testing::TestWithParam<std::string_view> {};

TEST_P(EveryDataset, LoadsWhatItsRowSays) {
  const Dataset& row = find_dataset(GetParam());
  if (!where_is(row)) GTEST_SKIP() << row.name << " is not here; to get it: " << row.get_with;
  check_part(row, Part::kTrain);
  check_part(row, Part::kTest);
}

TEST_P(EveryDataset, RowIsComplete) {
  const Dataset& row = find_dataset(GetParam());
  EXPECT_FALSE(row.summary.empty());
  EXPECT_GE(row.classes(), 2);
  const std::set<std::string_view> names(row.class_names.begin(), row.class_names.end());
  EXPECT_EQ(names.size(), row.class_names.size());
  EXPECT_LT(row.validation, row.train_count);
  EXPECT_EQ(row.validation % static_cast<std::size_t>(row.classes()), 0u);
  EXPECT_EQ(row.get_with.empty(), row.train_files.empty());
  EXPECT_EQ(row.get_with.empty(), row.test_files.empty());
}

std::vector<std::string_view> all_names() {
  std::vector<std::string_view> names;
  for (const Dataset& row : datasets()) names.push_back(row.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Table, EveryDataset, testing::ValuesIn(all_names()), [](const auto& test) {
  std::string name(test.param);
  std::erase(name, '-');
  return name;
});

TEST(Digits, EveryFifthRowIsATestImage) {
  const ImageSet train = load(find_dataset("digits"), Part::kTrain), test = load(find_dataset("digits"), Part::kTest);
  EXPECT_EQ(std::vector<int>(train.labels.begin(), train.labels.begin() + 5), (std::vector<int>{0, 1, 2, 3, 5}));
  EXPECT_EQ(test.labels[0], 4);
  const auto first = train.image(0);
  EXPECT_EQ(std::vector<int>(first.begin(), first.begin() + 8), (std::vector<int>{0, 0, 5, 13, 9, 1, 0, 0}));
}

TEST(FindDataset, HelpsWithMisspeltNames) {
  try {
    find_dataset("fasion-mnist");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kBadInput);
    EXPECT_STREQ(error.what(), "unknown data set 'fasion-mnist'; did you mean 'fashion-mnist'?");
  }
}

}  // namespace
}  // namespace actforge
