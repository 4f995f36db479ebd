#include "actforge/study/standings.h"

#include <algorithm>

#include "actforge/search/strategies/ranking.h"
#include "actforge/search/strategies/score_estimate.h"

namespace actforge {
namespace {

Standing standing_of(const TrialLog& log, const ScoreEstimates& estimates, std::int64_t number,
                     std::size_t objectives) {
  const ScoreEstimate first = estimates.of(number);
  Standing standing = {.trial = log.trial(number), .runs = first.runs, .failed = first.failed};
  for (std::size_t i = 0; i < objectives; ++i) standing.trial.outcome.scores[i] = estimates.of(number, i).mean;
  // A run that failed is no noise of the usual kind.
  if (first.failed == 0) standing.interval = student_interval(first.mean, first.error, estimates.degrees());
  return standing;
}

std::vector<Standing> all_standings(Store& store, const StudySettings& settings) {
  const std::size_t objectives = study_objectives(settings).size();
  TrialLog log(sameness(settings));
  store.each([&](const Trial& trial) { log.add(trial); });
  std::vector<std::int64_t> numbers;
  for (const std::int64_t number : log.finished()) {
    if (has_result(log.trial(number), objectives)) numbers.push_back(number);
  }
  const ScoreEstimates estimates(log, objectives);
  std::ranges::sort(numbers, [&](std::int64_t a, std::int64_t b) {
    const double rank_a = estimates.rank(a), rank_b = estimates.rank(b);
    return rank_a != rank_b ? rank_a > rank_b : a < b;
  });
  std::vector<Standing> all;
  all.reserve(numbers.size());
  for (const std::int64_t number : numbers) all.push_back(standing_of(log, estimates, number, objectives));
  return all;
}

}  // namespace

std::vector<Standing> standings(Store& store, const StudySettings& settings, std::size_t count) {
  std::vector<Standing> best;
  if (store.counts().repeats == 0) {  // the store has an index for that
    for (Trial& trial : store.top(count)) best.push_back({.trial = std::move(trial)});
    return best;
  }
  best = all_standings(store, settings);
  best.resize(std::min(count, best.size()));
  return best;
}

std::vector<Standing> best_standings(Store& store, const StudySettings& settings) {
  const std::size_t objectives = study_objectives(settings).size();
  if (objectives == 1) return standings(store, settings, 1);
  std::vector<Standing> all = all_standings(store, settings);
  std::vector<Trial> trials;
  trials.reserve(all.size());
  for (const Standing& standing : all) trials.push_back(standing.trial);
  const std::vector<std::int64_t> front = best_trials(trials, objectives);
  std::erase_if(all, [&](const Standing& s) { return std::ranges::find(front, s.trial.number) == front.end(); });
  return all;
}

}  // namespace actforge
