#include "actforge/data/dataset.h"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "actforge/base/error.h"

namespace actforge {
namespace {

std::vector<int> class_counts(const ImageSet& set) {
  std::vector<int> counts(static_cast<std::size_t>(set.classes));
  for (const int label : set.labels) ++counts.at(static_cast<std::size_t>(label));
  return counts;
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
  for (const int count : class_counts(set)) EXPECT_GT(count, 0);
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

// Counted with zcat and awk.
TEST(Digits, EveryFifthRowIsATestImage) {
  const ImageSet train = load(find_dataset("digits"), Part::kTrain), test = load(find_dataset("digits"), Part::kTest);
  EXPECT_EQ(class_counts(train), (std::vector<int>{151, 161, 143, 131, 147, 154, 150, 136, 127, 138}));
  EXPECT_EQ(class_counts(test), (std::vector<int>{27, 21, 34, 52, 34, 28, 31, 43, 47, 42}));
  EXPECT_EQ(std::vector<int>(train.labels.begin(), train.labels.begin() + 5), (std::vector<int>{0, 1, 2, 3, 5}));
  EXPECT_EQ(test.labels[0], 4);
  const auto first = train.image(0);
  EXPECT_EQ(std::vector<int>(first.begin(), first.begin() + 8), (std::vector<int>{0, 0, 5, 13, 9, 1, 0, 0}));
}

TEST(FashionMnist, IsBalanced) {
  const Dataset& row = find_dataset("fashion-mnist");
  if (!where_is(row)) GTEST_SKIP() << "not here; to get it: " << row.get_with;
  EXPECT_EQ(class_counts(load(row, Part::kTrain)), std::vector<int>(10, 6000));
  const ImageSet test = load(row, Part::kTest);
  EXPECT_EQ(class_counts(test), std::vector<int>(10, 1000));
  EXPECT_EQ(std::vector<int>(test.labels.begin(), test.labels.begin() + 5), (std::vector<int>{9, 2, 1, 1, 6}));
}

TEST(Cifar10, IsBalanced) {
  const Dataset& row = find_dataset("cifar10");
  if (!where_is(row)) GTEST_SKIP() << "not here; to get it: " << row.get_with;
  EXPECT_EQ(class_counts(load(row, Part::kTrain)), std::vector<int>(10, 5000));
  EXPECT_EQ(class_counts(load(row, Part::kTest)), std::vector<int>(10, 1000));
}

// As published; the mean brightness of the training images, 0.1307, is in many a program.
TEST(Mnist, HasThePublishedCountsAndMean) {
  const Dataset& row = find_dataset("mnist");
  if (!where_is(row)) GTEST_SKIP() << "not here; to get it: " << row.get_with;
  const ImageSet train = load(row, Part::kTrain);
  EXPECT_EQ(class_counts(train), (std::vector<int>{5923, 6742, 5958, 6131, 5842, 5421, 5918, 6265, 5851, 5949}));
  const double sum = std::accumulate(train.pixels.begin(), train.pixels.end(), 0.0);
  EXPECT_NEAR(sum / static_cast<double>(train.pixels.size()) / 255, 0.1307, 5e-5);
}

TEST(FindDataset, HelpsWithMisspeltNames) {
  try {
    find_dataset("fasion-mnist");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kBadInput);
    EXPECT_STREQ(error.what(),
                 "unknown data set 'fasion-mnist'; did you mean 'fashion-mnist'? (there are: digits, fashion-mnist, "
                 "mnist, cifar10)");
  }
}

}  // namespace
}  // namespace actforge
