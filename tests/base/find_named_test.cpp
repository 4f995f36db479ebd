#include "actforge/base/find_named.h"

#include <gtest/gtest.h>

#include <array>

namespace actforge {
namespace {

struct Row {
  std::string_view name;
  int value;
};
constexpr Row kRelu = {"relu", 1}, kSoftplus = {"softplus", 2};
constexpr Row kRows[] = {kRelu, kSoftplus};
constexpr std::array<const Row*, 2> kPointers = {&kRelu, &kSoftplus};

template <class Work>
std::string complaint(const Work& work, ErrorCode code = ErrorCode::kUsage) {
  try {
    work();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code);
    return error.what();
  }
  return "no error";
}

TEST(FindNamed, TablesOfRowsAndOfPointers) {
  EXPECT_EQ(&find_named(kRows, "softplus", "operator"), &kRows[1]);
  EXPECT_EQ(&find_named(kPointers, "softplus", "operator"), &kSoftplus);
}

TEST(FindNamed, NamesTheNearest) {
  EXPECT_EQ(complaint([] { find_named(kRows, "sofplus", "operator"); }),
            "unknown operator 'sofplus'; did you mean 'softplus'?");
  EXPECT_EQ(complaint([] { find_named(kPointers, "rleu", "function", ErrorCode::kBadInput); }, ErrorCode::kBadInput),
            "unknown function 'rleu'; did you mean 'relu'?");
}

TEST(FindNamed, ListsAllWhereNoneIsNear) {
  EXPECT_EQ(complaint([] { find_named(kRows, "banana", "operator"); }),
            "unknown operator 'banana'; there are: relu, softplus");
  EXPECT_EQ(complaint([] { find_named(kRows, "", "operator"); }), "unknown operator ''; there are: relu, softplus");
  const std::vector<Row> none;
  EXPECT_EQ(complaint([&] { find_named(none, "relu", "operator"); }), "unknown operator 'relu'; there are: ");
}

TEST(FindNamed, TheHintFollowsTheList) {
  const std::vector<std::string_view> known = {"relu"};
  EXPECT_EQ(complaint([&] { throw_unknown("space", "banana", known, ErrorCode::kUsage, ", or a file"); }),
            "unknown space 'banana'; there are: relu, or a file");
  EXPECT_EQ(complaint([&] { throw_unknown("space", "rleu", known, ErrorCode::kUsage, ", or a file"); }),
            "unknown space 'rleu'; did you mean 'relu'?");
}

}  // namespace
}  // namespace actforge
