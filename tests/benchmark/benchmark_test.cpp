#include "actforge/benchmark/benchmark.h"

#include <gtest/gtest.h>

#include <cmath>

#include "actforge/base/error.h"
#include "actforge/base/random.h"
#include "actforge/benchmark/benchmark_summary.h"
#include "actforge/expr/language/parse.h"
#include "tests/benchmark/small_benchmark.h"

namespace actforge {
namespace {

TEST(Benchmark, WhatFailsCountsAsTheWorst) {
  const std::vector<double> scores = true_scores(small_benchmark());
  ASSERT_EQ(scores.size(), 4U);
  EXPECT_DOUBLE_EQ(scores[0], 0.75);
  EXPECT_DOUBLE_EQ(scores[1], 0.6);  // (0.6 + the worst, 0.6) / 2
  EXPECT_DOUBLE_EQ(scores[2], 0.85);
  EXPECT_DOUBLE_EQ(scores[3], 0.6);
  const std::vector<double> losses = true_scores(small_benchmark(), BenchmarkMeasure::kLoss);
  EXPECT_DOUBLE_EQ(losses[0], -0.55);
  EXPECT_DOUBLE_EQ(losses[3], -0.9);
}

TEST(Benchmark, FindsFunctionsThatAreWrittenOtherwise) {
  const BenchmarkIndex index(small_benchmark());
  EXPECT_EQ(index.find(parse("relu(x)")), 0U);
  EXPECT_EQ(index.find(parse("max(0,x)")), 0U);
  EXPECT_EQ(index.find(parse("x*sigmoid(x)")), 2U);
  EXPECT_EQ(index.find(parse("elu(x)")), std::nullopt);
  Benchmark broken = small_benchmark();
  broken.functions[1].expression = "tanh(";
  EXPECT_THROW(BenchmarkIndex{broken}, Error);
}

// A search looks further than the benchmark may have: what it calls another function has a result all the same.
TEST(Benchmark, FindsWhatItHoldsForEqual) {
  Benchmark benchmark = small_benchmark();
  EXPECT_EQ(BenchmarkIndex(benchmark).find(parse("relu6(x)")), std::nullopt);
  benchmark.functions[0].equivalents = {"relu6(x)"};
  EXPECT_EQ(BenchmarkIndex(benchmark).find(parse("relu6(x)")), 0U);
  EXPECT_EQ(BenchmarkIndex(benchmark).find(parse("relu(x)")), 0U);
  benchmark.functions[3].expression = "relu6(x)";
  EXPECT_EQ(BenchmarkIndex(benchmark).find(parse("relu6(x)")), 3U);
}

// Scores that were made by the model: functions, seeds and noise with known standard deviations.
TEST(BenchmarkSummary, TellsFunctionsFromNoise) {
  Random random(3, 0, "benchmark");
  Benchmark benchmark;
  const double seeds[] = {0.05, -0.03, 0.01};
  for (int f = 0; f < 2000; ++f) {
    BenchmarkFunction function = {.expression = "x"};
    const double mean = 0.5 + 0.04 * random.normal();
    for (const double seed : seeds) {
      function.runs.push_back({.completed = true, .accuracy = mean + seed + 0.02 * random.normal(), .loss = 1});
    }
    benchmark.functions.push_back(std::move(function));
  }
  const BenchmarkSummary summary = summarise_benchmark(benchmark);
  EXPECT_EQ(summary.all.functions, 2000U);
  EXPECT_NEAR(summary.all.between, 0.04, 0.002);
  EXPECT_NEAR(summary.all.within, 0.02, 0.001);
  EXPECT_NEAR(summary.all.share(), 0.8, 0.03);
  // The better half of a normal distribution has √(1 - 2/π) of its standard deviation.
  EXPECT_NEAR(summary.best_half.within, 0.02, 0.002);
  EXPECT_LT(summary.best_half.between, summary.all.between);
}

TEST(BenchmarkSummary, CountsWhatFailed) {
  const BenchmarkSummary summary = summarise_benchmark(small_benchmark());
  EXPECT_EQ(summary.functions, 4U);
  EXPECT_EQ(summary.seeds, 2U);
  EXPECT_EQ(summary.runs, 8U);
  EXPECT_EQ(summary.failed_runs, 3U);
  EXPECT_EQ(summary.always_failed, 1U);
  EXPECT_EQ(summary.sometimes_failed, 1U);
  EXPECT_EQ(summary.spectra, 3U);
  EXPECT_EQ(summary.failed_without_spectrum, 1U);
  EXPECT_DOUBLE_EQ(summary.seconds, 12);
  ASSERT_EQ(summary.best.size(), 4U);
  EXPECT_EQ(summary.best[0].expression, "swish(x)");
  EXPECT_EQ(summarise_benchmark({}).best.size(), 0U);
}

}  // namespace
}  // namespace actforge
