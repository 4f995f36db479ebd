#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "actforge/search/maps/profiled_pool.h"
#include "actforge/search/strategies/strategy.h"
#include "actforge/surrogate/block_process.h"
#include "actforge/surrogate/growing_process.h"

namespace actforge {

// What the trials of a study say of functions that were not tried: a Gaussian process over profiles. Each evaluation is
// a measurement, repeats too, so that the noise is learnt with the rest. Functions that are being evaluated count as
// measured with what is expected of them, so that workers do not crowd at one place.
//
// Some functions fail, and some learn nothing: how bad these are says little about the best, and would make the process
// steep. Scores are cut off below
//   best - 3 (best - median),
// of the scores so far, and failures have the score where they are cut off.
//
// Lengths and noise are found again whenever there are a quarter more measurements, from the first so many in the order
// in which they ended. What is believed follows from the log alone, whenever one began to look at it.
class FunctionModel {
 public:
  // With hyperparameters, which are coordinates as well, nothing is believed of the pool's functions, only of functions
  // with hyperparameters.
  FunctionModel(std::shared_ptr<const ProfiledPool> pool, const StrategySetup& setup);

  // All that is in the log by now.
  void learn(const TrialLog& log);
  // Whether any function has a score; without one nothing is believed.
  bool has_scores() const { return best_.has_value(); }
  // The functions that were evaluated, by the numbers of their trials, the one of which most is expected first.
  const std::vector<std::int64_t>& order() const { return order_; }
  // What is expected of the first.
  double best() const { return best_.value(); }

  Belief belief(std::size_t function_of_pool) const { return process().belief(function_of_pool); }
  Belief belief(const FunctionProfile& function) const;
  // Of a function that is not in the log.
  FunctionProfile profile(const Expr& function, const Hyperparameters& values) const;
  // Whether a function of the pool is in the log.
  bool is_tried(std::size_t function_of_pool) const { return tried_[function_of_pool]; }

 private:
  // A function of the log.
  struct Subject {
    std::size_t place = 0;  // of the process: those of the pool, then the others in the order of their trials
    FunctionProfile profile = {};
    std::vector<std::vector<float>> to_pool = {};  // squared distances, by block
  };
  struct Measurement {
    std::int64_t number = 0, order = 0;  // of the evaluation
    std::int64_t function = 0;           // the trial that it repeats, or itself
    std::optional<double> score = {};    // none: it failed
  };

  void add_subjects(const TrialLog& log);
  std::vector<Measurement> measurements(const TrialLog& log, std::int64_t last) const;
  bool begins_as_before(const std::vector<Measurement>& measurements) const;
  void begin_process(const std::vector<Measurement>& first);
  void measure(GrowingProcess& process, std::int64_t function) const;
  void add_places();
  void add_pending(const TrialLog& log);
  void find_order();
  const Subject& subject(std::int64_t trial) const { return subjects_[static_cast<std::size_t>(trial)].value(); }
  std::vector<double> correlations(const FunctionProfile& profile) const;
  double correlation(std::span<const double> squares) const;
  std::size_t places_of_pool() const { return is_joint_ ? 0 : pool_->size(); }
  double correlation_of(const FunctionProfile& a, const FunctionProfile& b) const;
  const GrowingProcess& process() const { return with_pending_.has_value() ? with_pending_.value() : process_; }

  std::shared_ptr<const ProfiledPool> pool_;
  std::size_t objectives_;
  HyperparameterSpace hyperparameters_;
  bool is_joint_;
  std::vector<bool> tried_;                       // by function of the pool
  std::vector<std::optional<Subject>> subjects_;  // by trial; none: it cannot be compared, or repeats another
  std::vector<std::int64_t> outside_;             // trials of functions that are not in the pool
  std::vector<Measurement> measured_;             // that the process knows
  std::size_t settings_from_ = 0;                 // the number of measurements that lengths and noise were found by
  BlockProcess::Settings settings_;
  GrowingProcess process_{0};
  std::vector<std::int64_t> pending_;  // trials that run
  std::optional<GrowingProcess> with_pending_;
  std::vector<std::int64_t> order_;
  std::optional<double> best_;
};

// The score of which all worse ones are cut off.
double least_score_that_counts(std::vector<double> scores);

}  // namespace actforge
