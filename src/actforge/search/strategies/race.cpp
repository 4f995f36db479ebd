#include "actforge/search/strategies/race.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "actforge/search/strategies/ranking.h"
#include "actforge/search/strategies/score_estimate.h"

namespace actforge {
namespace {

struct Runner {
  std::int64_t number = 0;
  double mean = 0;
  double runs = 0;  // with those that have not ended
};

// A function that may fail is noisy, however equal its scores.
bool has_failed_repeat(const TrialLog& log) {
  return std::ranges::any_of(log.trials(), [](const Trial& trial) {
    return trial.plan.is_repeat() && is_over(trial.status()) && trial.status() != TrialStatus::kCompleted;
  });
}

// None where repeats have shown that there is no noise.
std::vector<Runner> runners(const TrialLog& log, const RaceOptions& options) {
  const ScoreEstimates estimates(log, options.objectives);
  constexpr double kEnough = 3;
  if (estimates.degrees() >= kEnough && estimates.noise() == 0 && !has_failed_repeat(log)) return {};
  std::vector<Runner> field;
  for (const std::int64_t number : log.finished()) {
    if (!has_result(log.trial(number), options.objectives)) continue;
    field.push_back({.number = number,
                     .mean = estimates.of(number).mean,
                     .runs = 1.0 + static_cast<double>(log.repeats_of(number).size())});
  }
  // Ties go to the earlier trial.
  std::ranges::sort(
      field, [](const Runner& a, const Runner& b) { return a.mean != b.mean ? a.mean > b.mean : a.number < b.number; });
  return field;
}

// In units of the noise of one evaluation, which is the same for both.
double chance_against(const Runner& leader, const Runner& other) {
  return (other.mean - leader.mean) / std::sqrt(1 / other.runs + 1 / leader.runs);
}

bool is_time_for_repeat(const TrialLog& log, const RaceOptions& options) {
  const auto all = static_cast<double>(log.trials().size());
  const double repeats = all - static_cast<double>(log.functions());
  const bool has_end = options.budget > 0;
  constexpr double kAtTheEnd = 0.6;
  if (has_end && all + 1 > static_cast<double>(options.budget) * (1 - kAtTheEnd * options.share))
    return options.share > 0;
  return repeats + 1 <= (has_end ? 1 - kAtTheEnd : 1) * options.share * (all + 1);
}

}  // namespace

std::optional<std::int64_t> choose_repeat(const TrialLog& log, const RaceOptions& options) {
  if (!is_time_for_repeat(log, options)) return std::nullopt;
  const std::vector<Runner> field = runners(log, options);
  const auto may_run = [&](const Runner& runner) { return runner.runs < static_cast<double>(options.most); };
  if (field.size() < 2) return std::nullopt;
  const Runner& leader = field[0];
  const auto challenger = std::max_element(field.begin() + 1, field.end(), [&](const Runner& a, const Runner& b) {
    if (may_run(a) != may_run(b)) return may_run(b);
    return chance_against(leader, a) < chance_against(leader, b);
  });
  const bool leader_first = leader.runs <= challenger->runs;
  if (may_run(leader) && (leader_first || !may_run(*challenger))) return leader.number;
  return may_run(*challenger) ? std::optional(challenger->number) : std::nullopt;
}

}  // namespace actforge
