#include "actforge/study/summary.h"

#include <algorithm>

#include "actforge/base/digits_text.h"
#include "actforge/search/settings/study_strategy.h"
#include "actforge/search/strategies/strategy.h"

namespace actforge {
namespace {

StrategyOptions own_options(const StudySettings& settings) {
  StrategyOptions options;
  for (const StrategyField& field : find_strategy(settings.strategy).fields) {
    options.emplace(field.name, field_text(settings.options, field));
  }
  return options;
}

std::string caution_of(Store& store, const StudySettings& settings, std::int64_t first) {
  if (find_strategy(settings.strategy).caution == nullptr) return {};
  TrialLog log(sameness(settings));
  store.each([&](const Trial& trial) { log.add(trial); });
  return strategy_caution(settings, &log, first);
}

// The same functions as the scoreboard has them.
std::vector<Standing> rows_of(const Scoreboard& board, const std::vector<Standing>& standings) {
  std::vector<Standing> rows;
  for (const Standing& row : board.rows) {
    const auto is_row = [&](const Standing& standing) { return standing.trial.number == row.trial.number; };
    if (std::ranges::any_of(standings, is_row)) rows.push_back(row);
  }
  return rows;
}

std::string last_reason(Store& store) {
  std::string reason;
  store.each([&](const Trial& trial) {
    if (is_over(trial.status()) && !trial.outcome.reason.empty()) reason = trial.outcome.reason;
  });
  return reason;
}

void find_set_aside(Store& store, StudySummary& summary) {
  if (summary.counts.quarantined == 0) return;
  store.each([&](const Trial& trial) {
    if (trial.status() != TrialStatus::kQuarantined) return;
    summary.set_aside.push_back(trial.number);
    summary.set_aside_reason = trial.outcome.reason;
  });
}

}  // namespace

std::string progress_text(std::int64_t over, std::uint64_t budget) {
  return std::to_string(over) + (budget >= kMostTrials ? "" : " of " + std::to_string(budget));
}

StudySummary summarise(Store& store, const StudySettings& settings) {
  const std::vector<Objective> objectives = study_objectives(settings);
  const Scoreboard board = scoreboard(store, settings);
  const std::vector<Standing> best = rows_of(board, best_standings(store, settings));
  const std::vector<StrategySpan> strategies = strategy_spans(store, settings);
  StudySummary summary = {.counts = store.counts(),
                          .budget = settings.trials,
                          .seconds = store.seconds(),
                          .require = settings.require,
                          .objectives = objectives,
                          .best = best,
                          .known = known_standings(board),
                          .found = best_found(board),
                          .shown = shown_standings(board, best),
                          .verdict = study_verdict(board, objectives[0]),
                          .strategies = strategies,
                          .options = own_options(settings),
                          .caution = caution_of(store, settings, strategies.back().first),
                          .last_reason = best.empty() ? last_reason(store) : std::string()};
  find_set_aside(store, summary);
  return summary;
}

std::string reason_line(const std::string& reason) {
  const std::size_t first = reason.find('\n'), last = reason.find_last_not_of('\n');
  if (first == std::string::npos || last == std::string::npos || first > last) return reason.substr(0, first);
  const std::size_t begin = reason.rfind('\n', last) + 1;
  const std::string head = reason.substr(0, first), tail = reason.substr(begin, last + 1 - begin);
  return head + (head.ends_with(':') ? " " : " ... ") + tail;
}

double shown_score(const Objective& objective, double score) { return objective.turned(score); }

std::string score_text(const Objective& objective, double score) {
  return with_digits(shown_score(objective, score), 5);
}

}  // namespace actforge
