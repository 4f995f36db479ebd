#include "actforge/search/strategies/score_estimate.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "actforge/search/strategies/ranking.h"

namespace actforge {
namespace {

// One that was given up early has the score of a shorter training.
bool has_score(const Trial& trial, std::size_t objective) {
  const bool ended_well = trial.status() == TrialStatus::kCompleted || trial.status() == TrialStatus::kStopped;
  const std::vector<double>& scores = trial.outcome.scores;
  return ended_well && objective < scores.size() && std::isfinite(scores[objective]);
}

// What one function says of the noise.
struct Spread {
  double variance = 0, degrees = 0;
};

// Relative to the first value: scores that do not vary have a variance of exactly 0.
Spread spread_of(const std::vector<double>& scores) {
  const auto count = static_cast<double>(scores.size());
  double shift = 0, squares = 0;
  for (const double score : scores) shift += (score - scores[0]) / count;
  for (const double score : scores) squares += (score - scores[0] - shift) * (score - scores[0] - shift);
  return {.variance = squares / (count - 1), .degrees = count - 1};
}

double median_of_chi_squared(double degrees) { return std::pow(1 - 2 / (9 * degrees), 3); }

// The mean where the median is 0: scores that are counted on few images often repeat by chance.
double common_variance(std::vector<Spread> spreads) {
  std::ranges::sort(spreads, {}, &Spread::variance);
  double total = 0, sum = 0, passed = 0;
  for (const Spread& spread : spreads) {
    total += spread.degrees;
    sum += spread.degrees * spread.variance;
  }
  for (const Spread& spread : spreads) {
    passed += spread.degrees;
    if (2 * passed >= total) return spread.variance > 0 ? spread.variance : sum / total;
  }
  return 0;
}

}  // namespace

ScoreEstimates::ScoreEstimates(const TrialLog& log, std::size_t objectives, std::int64_t last)
    : log_(log),
      last_(last),
      worst_(objectives, std::numeric_limits<double>::infinity()),
      noise_(objectives),
      has_repeats_(log.functions() < static_cast<std::int64_t>(log.trials().size())) {
  if (!has_repeats_) return;
  for (const Trial& trial : log.trials()) {
    if (!has_result(trial, objectives) || trial.finish_order > last) continue;
    for (std::size_t i = 0; i < objectives; ++i) worst_[i] = std::min(worst_[i], trial.outcome.scores[i]);
  }
  for (std::size_t i = 0; i < objectives; ++i) noise_[i] = common_noise(i);
}

// Those of a function that are over.
std::vector<const Trial*> ScoreEstimates::evaluations(std::int64_t number) const {
  std::vector<const Trial*> trials = {&log_.trial(number)};
  for (const std::int64_t repeat : log_.repeats_of(number)) {
    const Trial& trial = log_.trial(repeat);
    if (is_over(trial.status()) && trial.finish_order <= last_) trials.push_back(&trial);
  }
  return trials;
}

ScoreEstimates::Noise ScoreEstimates::common_noise(std::size_t objective) const {
  std::vector<Spread> spreads;
  Noise noise;
  for (const std::int64_t number : log_.repeated()) {
    std::vector<double> scores;
    for (const Trial* trial : evaluations(number)) {
      if (has_result(*trial, objective + 1)) scores.push_back(trial->outcome.scores[objective]);
    }
    if (scores.size() < 2) continue;
    Spread spread = spread_of(scores);
    spread.variance /= median_of_chi_squared(spread.degrees);
    noise.degrees += spread.degrees;
    spreads.push_back(spread);
  }
  noise.deviation = std::sqrt(common_variance(std::move(spreads)));
  return noise;
}

ScoreEstimate ScoreEstimates::of(std::int64_t number, std::size_t objective) const {
  ScoreEstimate estimate;
  if (!has_repeats_) {
    estimate.mean = log_.trial(number).outcome.scores[objective];
    estimate.runs = 1;
    return estimate;
  }
  for (const Trial* trial : evaluations(number)) {
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
