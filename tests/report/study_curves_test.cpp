#include "actforge/report/page/study_curves.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/report/sample_study.h"

namespace actforge {
namespace {

using namespace actforge::testing;

std::vector<double> random_scores(std::size_t count, std::mt19937& random) {
  std::vector<double> scores;
  for (std::size_t i = 0; i < count; ++i) scores.push_back(std::round(10 * bell(random)) / 10);  // some are equal
  return scores;
}

TEST(StudyCurves, BestSoFarIsTheBestOfAllBefore) {
  std::mt19937 random(1);
  for (const bool less : {false, true}) {
    const std::vector<double> scores = random_scores(200, random);
    const std::vector<double> best = best_so_far(scores, {.less_is_better = less});
    ASSERT_EQ(best.size(), scores.size());
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const auto end = scores.begin() + static_cast<std::ptrdiff_t>(i) + 1;
      EXPECT_EQ(best[i], less ? *std::min_element(scores.begin(), end) : *std::max_element(scores.begin(), end)) << i;
    }
  }
  EXPECT_TRUE(best_so_far({}, {}).empty());
}

TEST(StudyCurves, MovingAverageIsTheMeanOfTheLast) {
  std::mt19937 random(2);
  for (const std::size_t window : {1, 2, 7, 50, 1000}) {
    const std::vector<double> scores = random_scores(120, random);
    const std::vector<double> averages = moving_average(scores, window);
    ASSERT_EQ(averages.size(), scores.size());
    for (std::size_t i = 0; i < scores.size(); ++i) {
      double sum = 0, count = 0;
      for (std::size_t k = 0; k <= i; ++k) {
        if (i - k >= window) continue;
        sum += scores[k];
        ++count;
      }
      EXPECT_NEAR(averages[i], sum / count, 1e-12) << window << " at " << i;
    }
  }
  EXPECT_TRUE(moving_average({1, 2}, 0).empty());
}

TEST(StudyCurves, MovingAverageForgetsHugeScores) {
  const std::vector<double> averages = moving_average({1e30, 1, 2, 3, 1.7e308, 1.7e308, 4, 5}, 2);
  EXPECT_EQ(averages[2], 1.5);
  EXPECT_EQ(averages[3], 2.5);
  EXPECT_EQ(averages[5], 1.7e308);  // no overflow
  EXPECT_EQ(averages[7], 4.5);
}

TEST(StudyCurves, TrialsAreInTheOrderInWhichTheyEnded) {
  StudyPage page;
  page.trials = {{.number = 0, .scores = {1}, .finish_order = 2},
                 {.number = 1, .scores = {2}},  // still running
                 {.number = 2, .finish_order = 0},
                 {.number = 3, .scores = {kNan}, .finish_order = 3},
                 {.number = 4, .scores = {3}, .finish_order = 1}};
  const auto numbers = [](const std::vector<const PageTrial*>& trials) {
    std::vector<std::int64_t> result;
    result.reserve(trials.size());
    for (const PageTrial* trial : trials) result.push_back(trial->number);
    return result;
  };
  EXPECT_EQ(numbers(finished_trials(page)), (std::vector<std::int64_t>{2, 4, 0, 3}));
  EXPECT_EQ(numbers(scored_trials(page)), (std::vector<std::int64_t>{4, 0}));
}

// Against the definition: every trial is compared with every other.
TEST(StudyCurves, ParetoFrontIsWhatNoTrialBeats) {
  std::mt19937 random(3);
  for (const bool less_first : {false, true}) {
    for (const bool less_second : {false, true}) {
      StudyPage page{
          .objectives = {{.name = "a", .less_is_better = less_first}, {.name = "b", .less_is_better = less_second}}};
      for (std::int64_t i = 0; i < 150; ++i) {
        const std::vector<double> scores = random_scores(2, random);
        page.trials.push_back({.number = i, .scores = scores, .finish_order = i});
      }
      const auto beats = [&](const PageTrial& a, const PageTrial& b) {
        bool no_worse = true, better = false;
        for (std::size_t k = 0; k < 2; ++k) {
          no_worse = no_worse && !is_better(b.scores[k], a.scores[k], page.objectives[k]);
          better = better || is_better(a.scores[k], b.scores[k], page.objectives[k]);
        }
        return no_worse && better;
      };
      std::set<std::vector<double>> expected, found;  // trials with the same scores count once
      for (const PageTrial& trial : page.trials) {
        const bool beaten = std::any_of(page.trials.begin(), page.trials.end(),
                                        [&](const PageTrial& other) { return beats(other, trial); });
        if (!beaten) expected.insert(trial.scores);
      }
      for (const PageTrial* trial : pareto_front(page)) found.insert(trial->scores);
      EXPECT_EQ(found, expected);
      EXPECT_EQ(found.size(), pareto_front(page).size());
    }
  }
  EXPECT_TRUE(pareto_front({.objectives = {{.name = "alone"}}}).empty());
}

}  // namespace
}  // namespace actforge
