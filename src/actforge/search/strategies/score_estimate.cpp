#include "actforge/search/strategies/score_estimate.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "actforge/search/strategies/ranking.h"

namespace actforge {
namespace {

// The evaluations of a function that are over.
std::vector<const Trial*> evaluations(const TrialLog& log, std::int64_t number) {
  std::vector<const Trial*> trials = {&log.trial(number)};
  for (const std::int64_t repeat : log.repeats_of(number)) trials.push_back(&log.trial(repeat));
  std::erase_if(trials, [](const Trial* trial) { return !is_over(trial->status()); });
  return trials;
}

// One that was given up early has the score of a shorter training.
bool has_score(const Trial& trial, std::size_t objective) {
  const bool ended_well = trial.status() == TrialStatus::kCompleted || trial.status() == TrialStatus::kStopped;
  const std::vector<double>& scores = trial.outcome.scores;
  return ended_well && objective < scores.size() && std::isfinite(scores[objective]);
}

}  // namespace

ScoreEstimates::ScoreEstimates(const TrialLog& log, std::size_t objectives)
    : log_(log),
      worst_(objectives, std::numeric_limits<double>::infinity()),
      noise_(objectives),
      has_repeats_(log.functions() < static_cast<std::int64_t>(log.trials().size())) {
  if (!has_repeats_) return;
  for (const Trial& trial : log.trials()) {
    if (!has_result(trial, objectives)) continue;
    for (std::size_t i = 0; i < objectives; ++i) worst_[i] = std::min(worst_[i], trial.outcome.scores[i]);
  }
  for (std::size_t i = 0; i < objectives; ++i) noise_[i] = pooled_noise(i);
}

ScoreEstimates::Noise ScoreEstimates::pooled_noise(std::size_t objective) const {
  double squares = 0, degrees = 0;
  for (const std::int64_t number : log_.repeated()) {
    std::vector<double> scores;
    for (const Trial* trial : evaluations(log_, number)) {
      if (has_result(*trial, objective + 1)) scores.push_back(trial->outcome.scores[objective]);
    }
    if (scores.size() < 2) continue;
    double mean = 0;
    for (const double score : scores) mean += score / static_cast<double>(scores.size());
    for (const double score : scores) squares += (score - mean) * (score - mean);
    degrees += static_cast<double>(scores.size() - 1);
  }
  return {.deviation = degrees > 0 ? std::sqrt(squares / degrees) : 0, .degrees = degrees};
}

ScoreEstimate ScoreEstimates::of(std::int64_t number, std::size_t objective) const {
  ScoreEstimate estimate;
  if (!has_repeats_) {
    estimate.mean = log_.trial(number).outcome.scores[objective];
    estimate.runs = 1;
    return estimate;
  }
  for (const Trial* trial : evaluations(log_, number)) {
    const bool failed = !has_score(*trial, objective);
    estimate.mean += failed ? worst_[objective] : trial->outcome.scores[objective];
    estimate.failed += failed ? 1 : 0;
    ++estimate.runs;
  }
  estimate.mean /= static_cast<double>(estimate.runs);
  estimate.error = noise_[objective].deviation / std::sqrt(static_cast<double>(estimate.runs));
  return estimate;
}

double ScoreEstimates::rank(std::int64_t number, std::size_t objective) const {
  const ScoreEstimate estimate = of(number, objective);
  return estimate.mean - estimate.error;
}

}  // namespace actforge
