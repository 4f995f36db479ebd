#include "actforge/contest/contest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "actforge/base/error.h"
#include "actforge/base/random.h"
#include "actforge/benchmark/benchmark_file.h"
#include "actforge/contest/contest_chart.h"
#include "actforge/contest/contest_summary.h"
#include "actforge/expr/language/print.h"
#include "actforge/expr/language/reference.h"
#include "actforge/space/find_space.h"
#include "actforge/space/unique.h"
#include "tests/data/scratch.h"

namespace actforge {
namespace {

constexpr const char* kSpace = "binary(unary(x),unary(x))";

// Every function of a space, scored by how near it is to swish on a few points, with noise; spectra are its values.
Benchmark nearness_benchmark(std::size_t seeds, double noise) {
  const Space space = find_space("aquasurf-3");
  const UniqueFunctions unique = find_unique(space);
  Benchmark benchmark = {.spectra = "values"};
  Random random(1, 0, "noise");
  for (const std::vector<std::uint32_t>& members : unique.members()) {
    if (members[0] % 5 != 0 && members[0] > 60) continue;
    const Expr expr = space.at(members[0]);
    BenchmarkFunction function = {.expression = to_call(expr)};
    for (std::size_t i = 1; i < members.size(); ++i) function.equivalents.push_back(to_call(space.at(members[i])));
    const Reference f(expr);
    double sum = 0;
    for (int k = -6; k <= 6; ++k) {
      const double x = 0.5 * k, y = f.value(x), target = x / (1 + std::exp(-x));
      function.spectrum.push_back(static_cast<float>(std::isfinite(y) ? std::clamp(y, -9.0, 9.0) : 9));
      sum += std::isfinite(y) ? std::min(9.0, (y - target) * (y - target)) : 9;
    }
    const double score = 1 / (1 + sum);
    for (std::size_t s = 0; s < seeds; ++s) {
      const bool failed = sum > 100;
      function.runs.push_back(
          {.completed = !failed, .seed = s + 1, .accuracy = score + noise * random.normal(), .loss = sum});
    }
    benchmark.functions.push_back(std::move(function));
  }
  return benchmark;
}

class ContestTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new ScratchFolder;
    std::ofstream(path(), std::ios::binary) << packed_benchmark(nearness_benchmark(3, 0.02));
  }
  static void TearDownTestSuite() { delete folder_; }
  static std::string path() { return (folder_->path() / "near.bench").string(); }

  static ContestOptions options(std::uint64_t trials = 30, std::uint64_t repeats = 6) {
    return {.benchmark = path(), .space = "aquasurf-3", .trials = trials, .repeats = repeats, .maps = 1};
  }

  static ScratchFolder* folder_;
};
ScratchFolder* ContestTest::folder_ = nullptr;

TEST_F(ContestTest, CurvesAreTrueScoresOfAnswers) {
  const ContestField field(options());
  const std::vector<double> truth = true_scores(field.benchmark());
  const ContestResult result = field.run(read_contestant("random", field.options()), {.seed = 4, .threads = 2});
  ASSERT_EQ(result.searches.size(), 6U);
  for (const SearchCurve& curve : result.searches) {
    ASSERT_EQ(curve.size(), 30U);
    for (const double score : curve) {
      EXPECT_TRUE(score == field.worst() || std::ranges::find(truth, score) != truth.end()) << score;
    }
  }
  EXPECT_NE(result.searches[0], result.searches[1]);
  EXPECT_DOUBLE_EQ(field.best(), *std::ranges::max_element(truth));
}

TEST_F(ContestTest, ThreadsDoNotMatterAndSeedsDo) {
  const ContestField field(options());
  for (const char* strategy : {"random", "pangaea", "cafe", "aquasurf:features=outputs:start=relu(x):start-random=5",
                               "forge:candidates=300:start=relu(x)"}) {
    const Contestant contestant = read_contestant(strategy, field.options());
    const auto one = field.run(contestant, {.seed = 4, .threads = 1}).searches;
    EXPECT_EQ(one, field.run(contestant, {.seed = 4, .threads = 3}).searches) << strategy;
    EXPECT_NE(one, field.run(contestant, {.seed = 40, .threads = 3}).searches) << strategy;
  }
}

// Whoever may look at spectra that tell everything finds the best sooner than chance.
TEST_F(ContestTest, AMapHelpsWhereScoresAreSmooth) {
  ContestOptions how = options(40, 8);
  // The table has a part of the space: of the others nothing is known.
  how.space = "aquasurf-3";
  const ContestField field(how);
  const auto mean_end = [&](const char* strategy) {
    double sum = 0;
    for (const SearchCurve& curve : field.run(read_contestant(strategy, field.options()), {.threads = 2}).searches) {
      sum += curve.back() / 8;
    }
    return sum;
  };
  const double by_chance = mean_end("random");
  EXPECT_GT(mean_end("aquasurf:features=outputs"), by_chance);
  EXPECT_GT(mean_end("forge"), by_chance);
}

TEST_F(ContestTest, MissingSpectraAreSaid) {
  const ContestField field(options());
  const Contestant contestant = read_contestant("aquasurf:features=both", field.options());
  try {
    field.run(contestant, {.threads = 2});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("the benchmark lacks the spectra of"), std::string::npos) << error.what();
  }
}

TEST_F(ContestTest, WrongStrategiesAreSaid) {
  const auto message = [](const std::string& text) -> std::string {
    try {
      read_contestant(text, options());
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_NE(message("aquasruf").find("did you mean 'aquasurf'"), std::string::npos) << message("aquasruf");
  EXPECT_NE(message("aquasurf:gp").find("write it as name=value"), std::string::npos);
  EXPECT_NE(message("aquasurf:regresor=gp").find("regressor"), std::string::npos);
  EXPECT_NE(message("random:regressor=gp").find("strategy 'random:regressor=gp'"), std::string::npos);
  EXPECT_EQ(read_contestant("random:repeats=0.4:most-runs=5", options()).settings.most_runs, 5U);
}

TEST_F(ContestTest, CanBeStopped) {
  const ContestField field(options(100, 50));
  EXPECT_THROW(field.run(read_contestant("random", field.options()), {.threads = 2, .stop = [] { return true; }}),
               Error);
}

TEST(ContestSummary, EvaluationsNeededAreThoseAfterWhichItStays) {
  const ScratchFolder folder;
  const std::string path = (folder.path() / "a.bench").string();
  Benchmark benchmark;
  benchmark.functions = {{.expression = "relu(x)", .runs = {{.completed = true, .accuracy = 1.0, .loss = 0}}},
                         {.expression = "tanh(x)", .runs = {{.completed = true, .accuracy = 0.5, .loss = 1}}}};
  std::ofstream(path, std::ios::binary) << packed_benchmark(benchmark);
  const ContestField field({.benchmark = path, .space = kSpace});
  std::vector<ContestResult> results = {
      {.contestant = {.name = "a"},
       .searches = {{0.5, 1, 0.5, 0.995, 0.995}, {0.995, 1, 1, 1, 1}, {0.5, 0.5, 0.5, 0.5, 1}}},
      {.contestant = {.name = "b"},
       .searches = {{0.5, 0.5, 0.5, 0.5, 0.5}, {0.5, 0.5, 0.5, 0.5, 0.5}, {0.5, 0.5, 0.5, 0.5, 1}}}};
  const ContestSummary summary = summarise_contest(field, results);
  ASSERT_EQ(summary.rows.size(), 2U);
  EXPECT_DOUBLE_EQ(summary.best, 1);
  // Within 1%: after 4, 1 and 5 evaluations; within 0.1%: never, 2 and 5.
  EXPECT_DOUBLE_EQ(summary.rows[0].needed[0].median, 4);
  EXPECT_EQ(summary.rows[0].needed[0].reached, 3U);
  EXPECT_DOUBLE_EQ(summary.rows[0].needed[1].median, 5);
  EXPECT_EQ(summary.rows[0].needed[1].reached, 2U);
  EXPECT_TRUE(std::isinf(summary.rows[1].needed[0].median));
  EXPECT_NEAR(summary.rows[0].curve[0].mean, (0.5 + 0.995 + 0.5) / 3, 1e-12);
  ASSERT_EQ(summary.tests.size(), 1U);
  EXPECT_NEAR(summary.tests[0].wins, 7.0 / 9, 1e-12);  // 0.995, 1, 1 against 0.5, 0.5, 1
  EXPECT_TRUE(summary.known[0].name == "ReLU" && summary.known[0].score == 1);
  EXPECT_NE(contest_csv(summary).find("a,1,0.665"), std::string::npos);
  EXPECT_TRUE(contest_claims(summary).empty());  // three searches prove nothing
  const std::string svg = contest_chart(summary), page = contest_page(summary, {.benchmark = "<b>"});
  EXPECT_NE(svg.find("class=\"curve\""), std::string::npos);
  EXPECT_EQ(page.find("<b>"), std::string::npos);
}

// How often the interval holds the true median of samples from a skewed distribution.
TEST(ContestSummary, TheIntervalOfTheMedianHoldsItOftenEnough) {
  Random random(5, 0, "median");
  int held = 0;
  constexpr int kTimes = 4000;
  for (int i = 0; i < kTimes; ++i) {
    std::vector<double> values;
    for (int k = 0; k < 25; ++k) values.push_back(std::exp(random.normal()));
    const Interval interval = median_interval(values);
    held += interval.low <= 1 && 1 <= interval.high ? 1 : 0;
  }
  EXPECT_GE(held, 0.95 * kTimes);
  EXPECT_LE(held, 0.98 * kTimes);                           // 0.957 for 25: no wider than it must be
  EXPECT_TRUE(std::isnan(median_interval({1, 2, 3}).low));  // too few for 95%
}

}  // namespace
}  // namespace actforge
