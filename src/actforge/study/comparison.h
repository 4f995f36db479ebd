#pragma once

#include <optional>
#include <string>
#include <vector>

#include "actforge/base/statistics.h"
#include "actforge/study/stage.h"

namespace actforge {

// A function whose runs are compared, and what it is to the study.
struct ComparedFunction {
  std::string expression = {};
  std::int64_t trial = -1;  // -1: no trial of the study
  bool is_baseline = false;
  std::optional<double> rate = {};  // the learning rate it is trained with; nothing: the stage's
  // That it is trained with; none: the stage's.
  Hyperparameters hyperparameters = {};
};
// A stage as it evaluates one of the functions.
Stage stage_for(const Stage& stage, const ComparedFunction& function);

// A function's runs. Scores and what follows from them are as people read them: a loss is positive.
struct ComparisonRow {
  ComparedFunction function = {};
  std::vector<double> scores = {};  // in the order of the repeats
  std::size_t failed = 0;           // runs that ended without a score of their own
  SampleSummary summary = {};
  // Against the function that the others are compared with; that one itself has none of this.
  double difference = std::numeric_limits<double>::quiet_NaN();
  Interval difference_interval = {};
  // One-tailed: that this function is better. The corrected ones hold for all rows together.
  TestResult welch = {}, rank = {};
  double welch_holm = std::numeric_limits<double>::quiet_NaN();
  double rank_holm = std::numeric_limits<double>::quiet_NaN();
};

struct Comparison {
  std::string stage = {}, conditions = {};  // "final", "allcnn-mini on fashion-mnist, ..."
  Objective objective = {};
  bool test = false;
  std::string against = {};
  std::vector<ComparisonRow> rows = {};  // the best first
};

// Compares the first `repeats` runs that the store has of each function, by one of the study's objectives. A run that
// failed counts as guessing where accuracy is compared (the dissertation's tables have such 1.00% of 100 classes); of
// other measures that of guessing is not known, and such runs are left out, which flatters the rest: `failed` says so.
struct ComparisonQuestion {
  std::vector<ComparedFunction> functions = {};
  std::string against = {};  // an expression among them; empty: no tests
  // In place of `against`: the baseline with the best mean. That favours the baselines: of several, the luckiest is the
  // one to beat.
  bool against_best = false;
  std::int64_t repeats = 0;
  std::size_t objective = 0;
};
// Whether a run that failed has a score.
bool counts_failures(const Objective& objective);
// Functions are in the runs of stage_for(stage, function).
Comparison compare(Store& store, const Stage& stage, const ComparisonQuestion& question);

// "***" for p at most 0.001, "**" 0.01, "*" 0.05.
std::string stars(double p);

}  // namespace actforge
