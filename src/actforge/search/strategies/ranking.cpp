#include "actforge/search/strategies/ranking.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace actforge {

bool has_result(const Trial& trial, std::size_t objectives) {
  const Scores& scores = trial.outcome.scores;
  return trial.status() == TrialStatus::kCompleted && scores.size() >= objectives &&
         std::all_of(scores.begin(), scores.begin() + static_cast<std::ptrdiff_t>(objectives),
                     [](double score) { return std::isfinite(score); });
}

Ranking::Ranking(const TrialLog& log, std::vector<std::int64_t> numbers, std::size_t objectives, std::int64_t last)
    : numbers_(std::move(numbers)) {
  const ScoreEstimates estimates(log, objectives, last);
  std::vector<Scores> points;
  for (const std::int64_t number : numbers_) {
    points.emplace_back();
    for (std::size_t i = 0; i < objectives; ++i) points.back().push_back(estimates.rank(number, i));
  }
  if (objectives == 1) {
    for (const Scores& point : points) metric_.push_back(point[0]);
    return;
  }
  const std::vector<std::size_t> ranks = front_ranks(points);
  crowding_ = crowding_distances(points, ranks);
  for (const std::size_t rank : ranks) metric_.push_back(-static_cast<double>(rank));
}

bool Ranking::better(std::size_t a, std::size_t b) const {
  if (metric_[a] != metric_[b]) return metric_[a] > metric_[b];
  return !crowding_.empty() && crowding_[a] > crowding_[b];
}

std::vector<std::size_t> Ranking::order() const {
  std::vector<std::size_t> places(size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::ranges::sort(places, [&](std::size_t a, std::size_t b) {
    if (better(a, b) || better(b, a)) return better(a, b);
    return numbers_[a] < numbers_[b];
  });
  return places;
}

std::vector<std::int64_t> best_trials(std::span<const Trial> trials, std::size_t objectives) {
  std::vector<std::int64_t> numbers;
  std::vector<Scores> points;
  for (const Trial& trial : trials) {
    if (!has_result(trial, objectives)) continue;
    const Scores& all = trial.outcome.scores;
    numbers.push_back(trial.number);
    points.emplace_back(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(objectives));
  }
  std::vector<std::int64_t> best;
  for (const std::size_t place : pareto_front(points)) best.push_back(numbers[place]);
  return best;
}

}  // namespace actforge
