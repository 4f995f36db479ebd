#pragma once

#include <cstdint>
#include <vector>

#include "actforge/search/strategies/trial_log.h"

namespace actforge {

// What the evaluations of a function say of one objective: that of its trial, and of the trials that repeat it.
struct ScoreEstimate {
  double mean = 0;         // of all that are over; one that failed counts as the worst score of the study
  std::size_t runs = 0;    // that are over
  std::size_t failed = 0;  // among them
  double error = 0;        // the standard error of the mean, by the noise of the study; 0 where that is not known yet
};

// Training is noisy: the best of many single scores is partly luck. The noise of one evaluation is taken to be the same
// for all functions and estimated from all that were repeated,
//   s² = Σ_i Σ_j (x_ij - mean_i)² / Σ_i (n_i - 1),
// over completed evaluations, so that the mean of n evaluations has the standard error s/√n even where n is 1.
class ScoreEstimates {
 public:
  // The log outlives this and stays as it is.
  ScoreEstimates(const TrialLog& log, std::size_t objectives);

  // Of a trial that is over and repeats no other.
  ScoreEstimate of(std::int64_t number, std::size_t objective = 0) const;
  // What functions are ranked by. Without repeats it is the score. With repeats, functions were evaluated different
  // numbers of times, and among single scores the luckiest is on top: the score is then what the function reaches with
  // some certainty, mean - s/√n.
  double rank(std::int64_t number, std::size_t objective = 0) const;
  // The standard deviation of a single evaluation; 0 where no function has two.
  double noise(std::size_t objective = 0) const { return noise_[objective].deviation; }
  // How sure that is: the degrees of freedom of its estimate.
  double degrees(std::size_t objective = 0) const { return noise_[objective].degrees; }

 private:
  struct Noise {
    double deviation = 0, degrees = 0;
  };
  Noise pooled_noise(std::size_t objective) const;

  const TrialLog& log_;
  std::vector<double> worst_;  // by objective
  std::vector<Noise> noise_;
  bool has_repeats_ = false;
};

}  // namespace actforge
