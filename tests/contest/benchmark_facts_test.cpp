#include "actforge/contest/benchmark_facts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "actforge/base/random.h"
#include "actforge/expr/language/print.h"
#include "actforge/expr/language/reference.h"
#include "actforge/space/find_space.h"
#include "actforge/space/unique.h"
#include "actforge/surrogate/regressor.h"

namespace actforge {
namespace {

// Functions of a space whose score is a smooth function of their values, the same for a function and its negative.
// Their spectra are absolute values, so that these are the same too.
Benchmark symmetric_benchmark(double noise) {
  const Space space = find_space("aquasurf-3");
  const UniqueFunctions unique = find_unique(space);
  Benchmark benchmark = {.spectra = "absolute values"};
  Random random(1, 0, "noise");
  for (const std::vector<std::uint32_t>& members : unique.members()) {
    if (members[0] % 3 != 0) continue;
    const Expr expr = space.at(members[0]);
    BenchmarkFunction function = {.expression = to_call(expr)};
    for (std::size_t i = 1; i < members.size(); ++i) function.equivalents.push_back(to_call(space.at(members[i])));
    const Reference f(expr);
    double sum = 0;
    for (int k = -4; k <= 4; ++k) {
      const double y = std::fabs(f.value(0.5 * k));
      sum += std::isfinite(y) ? std::min(9.0, y) : 1000;
      function.spectrum.push_back(static_cast<float>(std::min(9.0, y)));
    }
    const bool failed = sum >= 1000;
    if (failed) function.spectrum.clear();
    for (std::uint64_t s = 0; s < 3; ++s) {
      function.runs.push_back(
          {.completed = !failed, .seed = s, .accuracy = 1 / (1 + sum) + noise * random.normal(), .loss = sum});
    }
    benchmark.functions.push_back(std::move(function));
  }
  return benchmark;
}

const Prediction& find_prediction(const BenchmarkFacts& facts, const std::string& features,
                                  const std::string& regressor) {
  const auto found = std::ranges::find_if(
      facts.predictions, [&](const Prediction& p) { return p.features == features && p.regressor == regressor; });
  EXPECT_NE(found, facts.predictions.end()) << features << " " << regressor;
  return *found;
}

TEST(BenchmarkFacts, KnowWhatABenchmarkWasMadeOf) {
  const Benchmark benchmark = symmetric_benchmark(0.01);
  const BenchmarkFacts facts = benchmark_facts(benchmark, {.known = 80, .repeats = 4}, {.seed = 1, .threads = 2});
  // Exactly those without a spectrum have failed.
  EXPECT_GT(facts.invalid_and_failed.both, 0U);
  EXPECT_EQ(facts.invalid_and_failed.first, 0U);
  EXPECT_EQ(facts.invalid_and_failed.second, 0U);
  EXPECT_LT(facts.invalid_fails, 1e-6);
  // A function and its negative have other outputs, but the same spectra and scores, up to noise.
  const Negatives& negatives = facts.negatives;
  ASSERT_EQ(negatives.distances.size(), 2U);
  EXPECT_GT(negatives.pairs, 20U);
  EXPECT_EQ(negatives.distances[0].features, "outputs");
  EXPECT_GT(negatives.distances[0].median, 0.1);
  EXPECT_LT(negatives.distances[1].median, 1e-6);
  EXPECT_LT(negatives.distances[1].nearer, 0.01);
  EXPECT_NEAR(negatives.difference / negatives.by_noise, 1, 0.3);
  EXPECT_GT(negatives.typical_difference, 5 * negatives.difference);
  // Scores follow from absolute values, which spectra have.
  EXPECT_GT(find_prediction(facts, "eigenvalues", "knn").correlation.mean, 0.8);
  EXPECT_EQ(facts.predictions.size(), 3 * regressors().size());
}

TEST(BenchmarkFacts, ScoresOfPureNoiseCannotBeTold) {
  Benchmark benchmark = symmetric_benchmark(0);
  Random random(2, 0, "scores");
  for (BenchmarkFunction& function : benchmark.functions) {
    for (BenchmarkRun& run : function.runs) run.accuracy = random.uniform();
  }
  const BenchmarkFacts facts = benchmark_facts(benchmark, {.known = 80, .repeats = 10}, {.threads = 2});
  for (const char* features : {"outputs", "eigenvalues", "both"}) {
    EXPECT_LT(std::fabs(find_prediction(facts, features, "knn").correlation.mean), 0.1) << features;
  }
}

TEST(BenchmarkFacts, ThreadsDoNotMatterAndNothingNeedsSpectra) {
  Benchmark benchmark = symmetric_benchmark(0.01);
  benchmark.spectra.clear();
  for (BenchmarkFunction& function : benchmark.functions) function.spectrum.clear();
  const FactsOptions options = {.known = 50, .repeats = 2};
  const BenchmarkFacts one = benchmark_facts(benchmark, options, {.threads = 1});
  const BenchmarkFacts two = benchmark_facts(benchmark, options, {.threads = 2});
  ASSERT_EQ(one.predictions.size(), two.predictions.size());
  for (std::size_t i = 0; i < one.predictions.size(); ++i) {
    EXPECT_EQ(one.predictions[i].features, "outputs");
    EXPECT_EQ(one.predictions[i].correlation.mean, two.predictions[i].correlation.mean);
  }
  EXPECT_EQ(one.invalid_and_failed.both + one.invalid_and_failed.first, 0U);
}

}  // namespace
}  // namespace actforge
