#include "actforge/base/option_texts.h"

#include <gtest/gtest.h>

#include "actforge/base/error.h"

namespace actforge {
namespace {

struct Dish {
  std::uint64_t eggs = 2;
  double salt = 0.5;
  bool hot = true;
  std::string name = "omelette";
};

constexpr OptionField<Dish> kFields[] = {
    {"eggs", "how many", &Dish::eggs, 1, 12},
    {"salt", "how much", &Dish::salt, 0, 1},
    {"hot", "or cold", &Dish::hot},
    {"name", "what it is", &Dish::name, 0, 0, "omelette soup"},
};

TEST(OptionTexts, WhatIsNotThereHasItsDefault) {
  const Dish dish = read_options<Dish>({{"salt", "0.25"}, {"of another part", "5"}}, kFields);
  EXPECT_EQ(dish.eggs, 2u);
  EXPECT_EQ(dish.salt, 0.25);
  EXPECT_TRUE(dish.hot);
  EXPECT_EQ(dish.name, "omelette");
  EXPECT_EQ(field_text(OptionTexts(), option_row(kFields[1])), "0.5");
}

TEST(OptionTexts, ReadWhatWasWritten) {
  OptionTexts texts;
  write_options<Dish>(texts, kFields, {.eggs = 3, .salt = 0.1, .hot = false, .name = "soup"});
  EXPECT_EQ(texts, (OptionTexts{{"eggs", "3"}, {"salt", "0.1"}, {"hot", "false"}, {"name", "soup"}}));
  const Dish dish = read_options<Dish>(texts, kFields);
  EXPECT_EQ(dish.eggs, 3u);
  EXPECT_EQ(dish.salt, 0.1);
  EXPECT_FALSE(dish.hot);
  EXPECT_EQ(dish.name, "soup");
}

TEST(OptionTexts, EqualValuesHaveEqualTexts) {
  OptionTexts texts;
  set_field(texts, option_row(kFields[0]), "007");
  set_field(texts, option_row(kFields[1]), "2.50e-1");
  EXPECT_EQ(texts, (OptionTexts{{"eggs", "7"}, {"salt", "0.25"}}));
}

TEST(OptionTexts, WhatCannotBeIsRefusedAndChangesNothing) {
  OptionTexts texts;
  for (const auto& [place, text] : {std::pair(0, "0"), {0, "2.5"}, {1, "2"}, {2, "yes"}, {3, "stew"}}) {
    EXPECT_THROW(set_field(texts, option_row(kFields[place]), text), Error) << text;
  }
  EXPECT_TRUE(texts.empty());
  EXPECT_THROW(read_options<Dish>({{"eggs", "many"}}, kFields), Error);
}

}  // namespace
}  // namespace actforge
