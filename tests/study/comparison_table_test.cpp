#include "actforge/study/comparison_table.h"

#include <gtest/gtest.h>

#include "actforge/study/summary.h"

namespace actforge {
namespace {

Comparison comparison_of(const Objective& objective, const std::vector<double>& scores) {
  ComparisonRow row;
  row.scores = scores;
  row.summary = summarise_sample(scores);
  return {.objective = objective, .rows = {row}};
}

std::string text(const std::string& objective, const std::vector<double>& scores) {
  const Comparison c = comparison_of(read_objectives({.text = objective, .any_measure = true})[0], scores);
  return compared_value_text(c, scores[0]);
}

TEST(ComparisonTable, OnlyAccuraciesThatAreSharesAreInPercent) {
  EXPECT_EQ(text("accuracy", {0.853, 1}), "85.30");
  EXPECT_EQ(text("accuracy", {85.3, 84}), "85.300");
  EXPECT_EQ(text("accuracy", {-86, -85}), "-86.000");
  EXPECT_EQ(text("f1:max", {0.853}), "0.8530");
  EXPECT_EQ(text("reward:max", {-86}), "-86.000");
  const Comparison share = comparison_of({.measure = "accuracy"}, {0.5}),
                   plain = comparison_of({.measure = "f1"}, {0.5});
  EXPECT_NE(comparison_caption(share, false).find("in percent"), std::string::npos);
  EXPECT_EQ(comparison_caption(plain, false).find("in percent"), std::string::npos);
}

TEST(ComparisonTable, DecimalsFitTheUnit) {
  EXPECT_EQ(text("loss", {0.5}), "0.5000");
  EXPECT_EQ(text("loss", {2.25}), "2.2500");
  EXPECT_EQ(text("loss", {0.0012345}), "0.0012345");
  EXPECT_EQ(text("latency:min", {1234.5678}), "1234.6");
  EXPECT_EQ(text("latency:min", {12345678}), "12345678");
  EXPECT_EQ(text("latency:min", {0}), "0.0000");
  // The largest decides for all.
  EXPECT_EQ(text("latency:min", {1, 1000}), "1.0");
}

TEST(ReasonLine, HasTheFirstAndTheLastLine) {
  EXPECT_EQ(reason_line("diverged"), "diverged");
  EXPECT_EQ(reason_line(""), "");
  EXPECT_EQ(reason_line("it ended with code 1:\nTraceback\n  line 3\nValueError: no\n"),
            "it ended with code 1: ValueError: no");
  EXPECT_EQ(reason_line("one\ntwo\nthree"), "one ... three");
  EXPECT_EQ(reason_line("one\n\n"), "one");
}

}  // namespace
}  // namespace actforge
