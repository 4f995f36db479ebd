#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "actforge/search/strategies/pareto.h"
#include "actforge/search/strategies/score_estimate.h"
#include "actforge/search/strategies/trial_log.h"

namespace actforge {

// Whether a trial is a result that others can be compared with: completed, with a finite score for each objective. One
// that was stopped early is not: its score is that of a shorter training.
bool has_result(const Trial& trial, std::size_t objectives);

// Which of some trials, all with results, are better, by what all their evaluations say (ScoreEstimates::rank). With
// one objective the score decides; with several the front that a trial is in, then the distance from its neighbours on
// the front, so that all of the front is used.
class Ranking {
 public:
  // `last` as in ScoreEstimates.
  Ranking(const TrialLog& log, std::vector<std::int64_t> numbers, std::size_t objectives,
          std::int64_t last = ScoreEstimates::kAll);

  std::size_t size() const { return numbers_.size(); }
  std::int64_t number(std::size_t place) const { return numbers_[place]; }
  bool better(std::size_t a, std::size_t b) const;
  // As a number to take the softmax of: the score; with several objectives, minus the front.
  double metric(std::size_t place) const { return metric_[place]; }
  // Places, the best first; ties by number.
  std::vector<std::size_t> order() const;

 private:
  std::vector<std::int64_t> numbers_;
  std::vector<double> metric_;
  std::vector<double> crowding_;  // where there are several objectives
};

// Numbers of the trials that none dominates, ascending: with one objective the best, with several the trade-offs
// between them.
std::vector<std::int64_t> best_trials(std::span<const Trial> trials, std::size_t objectives);

}  // namespace actforge
