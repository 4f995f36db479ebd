#include "actforge/base/suggest.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace actforge {
namespace {

constexpr std::array<std::string_view, 4> kNames = {"softplus", "softsign", "relu", "selu"};

TEST(Suggest, CountsEdits) {
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("rleu", "relu"), 1u);  // one swap
  EXPECT_EQ(edit_distance("same", "same"), 0u);
}

TEST(Suggest, FindsTheNearestName) {
  EXPECT_EQ(nearest_name("sofplus", kNames), "softplus");
  EXPECT_EQ(nearest_name("rleu", kNames), "relu");
}

TEST(Suggest, StaysSilentWhenNothingIsNear) {
  EXPECT_EQ(nearest_name("banana", kNames), "");
  EXPECT_EQ(nearest_name("", kNames), "");
  EXPECT_EQ(nearest_name(std::string(1000, 'r'), kNames), "");
  EXPECT_EQ(did_you_mean("banana", kNames), "");
}

TEST(Suggest, EndsMessages) {
  EXPECT_EQ(did_you_mean("rleu", kNames), "; did you mean 'relu'?");
  EXPECT_EQ(nearest_or_list("rleu", kNames), "; did you mean 'relu'?");
  EXPECT_EQ(nearest_or_list("banana", kNames), "; there are: softplus, softsign, relu, selu");
  EXPECT_EQ(nearest_and_list("rleu", kNames), "; did you mean 'relu'? (there are: softplus, softsign, relu, selu)");
  EXPECT_EQ(nearest_and_list("banana", kNames), " (there are: softplus, softsign, relu, selu)");
}

TEST(Suggest, ListsNames) {
  const std::vector<std::string_view> names = {"relu", "tanh", "erf"};
  EXPECT_EQ(name_list(names), "relu, tanh, erf");
  EXPECT_EQ(name_list({}), "");
}

}  // namespace
}  // namespace actforge
