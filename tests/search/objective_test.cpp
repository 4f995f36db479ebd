#include "actforge/search/evaluators/objective.h"

#include <gtest/gtest.h>

#include "tests/data/scratch.h"

namespace actforge {
namespace {

std::string refusal(const ObjectiveText& text) {
  return message_of([&] { read_objectives(text); });
}

TEST(Objectives, OfOnesOwnHaveADirection) {
  const auto read = read_objectives({.text = "f1:max, val/latency:min,loss,a:b:max", .any_measure = true});
  ASSERT_EQ(read.size(), 4u);
  EXPECT_EQ(read[0].name, "f1");
  EXPECT_FALSE(read[0].less_is_better);
  EXPECT_EQ(read[0].turned(-86), -86);
  EXPECT_EQ(read[1].measure, "val/latency");
  EXPECT_EQ(read[1].turned(5), -5);
  EXPECT_TRUE(read[2].less_is_better);
  EXPECT_EQ(read[3].measure, "a:b");
  EXPECT_EQ(objectives_text(read), "f1:max,val/latency:min,loss,a:b:max");
}

TEST(Objectives, ASingleOneMayHaveItApart) {
  const auto read = read_objectives({.text = "reward", .direction = "max", .any_measure = true});
  EXPECT_EQ(objectives_text(read), "reward:max");
  EXPECT_EQ(objectives_text(read_objectives({.text = "loss", .direction = "min"})), "loss");
  EXPECT_EQ(objectives_text(read_objectives({.text = "reward:min", .direction = "min", .any_measure = true})),
            "reward:min");
}

TEST(Objectives, WhatIsUnclearIsRefused) {
  const std::string start = "code 2: [evaluate] objective: ";
  EXPECT_EQ(refusal({.text = "f1", .any_measure = true}),
            start + "is more of 'f1' better, or less? Write f1:max or f1:min");
  EXPECT_EQ(refusal({.text = "acuracy", .any_measure = true}),
            start + "is more of 'acuracy' better, or less? Write acuracy:max or acuracy:min; did you mean 'accuracy'?");
  EXPECT_EQ(refusal({.text = "f1:max"}), start + "unknown measure 'f1' (there are: accuracy, loss, cost)");
  EXPECT_EQ(refusal({.text = "f1:up", .any_measure = true}),
            start + "'f1:up': after the colon stands max or min, not 'up'");
  EXPECT_EQ(refusal({.text = ":max", .any_measure = true}), start + "':max' names no measure");
  EXPECT_EQ(refusal({.text = "loss:max"}), start + "less loss is better; a measure of your own needs another name");
  EXPECT_EQ(refusal({.text = "accuracy", .direction = "min"}),
            start + "more accuracy is better; a measure of your own needs another name");
  EXPECT_EQ(refusal({.text = "f1,f2", .direction = "max", .any_measure = true}),
            start + "direction is for a single one; of several each has its own, as in f1:max,latency:min");
  EXPECT_EQ(refusal({.text = "f1:max", .direction = "min", .any_measure = true}),
            start + "'f1:max' has another direction than 'min'");
  EXPECT_EQ(refusal({.text = "f1:max,f1:min", .any_measure = true}), start + "'f1' stands there twice");
}

}  // namespace
}  // namespace actforge
