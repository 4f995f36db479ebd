#pragma once

#include <cstdint>
#include <limits>
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
// for all functions, s², so that the mean of n evaluations has the standard error s/√n even where n is 1. It is
// estimated from the functions that were repeated. Each has a sample variance v_i with d_i = n_i - 1 degrees of
// freedom; v_i d_i/s² follows a χ² distribution, whose median is d_i (1 - 2/(9 d_i))³ (Wilson and Hilferty), so that
//   v_i / (1 - 2/(9 d_i))³
// is s² in the median. The weighted median of these, with weights d_i, is taken rather than their mean: a single
// training that breaks down without failing would otherwise be the noise of all. Where the median is 0, it is the mean:
// 0 then says that no evaluation ever differed from another of its function.
class ScoreEstimates {
 public:
  static constexpr std::int64_t kAll = std::numeric_limits<std::int64_t>::max();

  // The log outlives this and stays as it is. Evaluations that ended later than `last` (Trial::finish_order) are not
  // looked at, for those whose answer must stay the same while the log grows.
  ScoreEstimates(const TrialLog& log, std::size_t objectives, std::int64_t last = kAll);

  // Of a trial that is over and repeats no other.
  ScoreEstimate of(std::int64_t number, std::size_t objective = 0) const;
  // What functions are ranked by. Without repeats it is the score. With repeats, functions were evaluated different
  // numbers of times, and among single scores the luckiest is on top: the score is then what the function reaches with
  // some certainty, mean - s/√n.
  double rank(std::int64_t number, std::size_t objective = 0) const;
  // The standard deviation of a single evaluation; 0 where no function has two.
  double noise(std::size_t objective = 0) const { return noise_[objective].deviation; }
  // How sure that is: the degrees of freedom of all that it is estimated from.
  double degrees(std::size_t objective = 0) const { return noise_[objective].degrees; }

 private:
  struct Noise {
    double deviation = 0, degrees = 0;
  };
  Noise common_noise(std::size_t objective) const;
  std::vector<const Trial*> evaluations(std::int64_t number) const;

  const TrialLog& log_;
  std::int64_t last_;
  std::vector<double> worst_;  // by objective
  std::vector<Noise> noise_;
  bool has_repeats_ = false;
};

}  // namespace actforge
