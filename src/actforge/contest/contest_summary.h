#pragma once

#include <span>
#include <string>
#include <vector>

#include "actforge/base/statistics.h"
#include "actforge/contest/contest.h"

namespace actforge {

// How many evaluations searches need until their answer is good enough, and stays so to the end.
struct EvaluationsNeeded {
  double within = 0;        // a share of the best true score, such as 0.01: at least 99% of it
  std::size_t reached = 0;  // how many searches got there
  double median = 0;        // over all searches; infinite where fewer than half got there
  Interval interval = {};   // 95%, of the median, by order statistics; its ends may be infinite
};

struct ContestRow {
  std::string name = {};
  std::vector<SampleSummary> curve = {};  // after each evaluation: mean true score with its 95% interval
  std::vector<EvaluationsNeeded> needed = {};
  double seconds = 0;
};

// Two strategies, by the true scores of their last answers.
struct ContestTest {
  std::string a = {}, b = {};
  Interval difference = {};  // 95%, of (the mean of a) - (the mean of b)
  double wins = 0;           // share of all pairs of searches in which a's answer is better; a tie is half a win
  double p = 0;              // Mann and Whitney's test, two-sided, adjusted for all pairs by Holm
};

struct ContestSummary {
  double best = 0;  // of the benchmark
  std::vector<ContestField::Known> known = {};
  std::vector<ContestRow> rows = {};
  std::vector<ContestTest> tests = {};
};

// Scores of losses are negative, and "within 1% of the best" is then a loss at most 1% larger.
ContestSummary summarise_contest(const ContestField& field, std::span<const ContestResult> results);

// The interval of a sample's median that holds at least `level`, whatever the distribution: [x_(k), x_(n+1-k)] with the
// largest k such that the binomial distribution has P(B < k) ≤ (1 - level)/2. Infinite values are allowed; sorts them.
Interval median_interval(std::vector<double> values, double level = 0.95);

// One row for each strategy and evaluation: strategy,evaluation,mean,low,high.
std::string contest_csv(const ContestSummary& summary);

}  // namespace actforge
