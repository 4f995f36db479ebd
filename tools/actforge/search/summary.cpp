#include "tools/actforge/search/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "actforge/base/digits_text.h"
#include "actforge/base/duration.h"
#include "actforge/report/svg/text.h"
#include "actforge/search/strategies/strategy.h"
#include "tools/actforge/common/table.h"

namespace actforge::tool {
namespace {

// As people read scores: a loss without its minus sign.
Interval shown_interval(const Objective& objective, const Interval& interval) {
  const double a = shown_score(objective, interval.low), b = shown_score(objective, interval.high);
  return {.low = std::min(a, b), .high = std::max(a, b)};
}

std::string interval_text(const Objective& objective, const Interval& interval) {
  if (!std::isfinite(interval.low)) return "";
  const Interval shown = shown_interval(objective, interval);
  return with_digits(shown.low, 4) + " to " + with_digits(shown.high, 4);
}

std::string known_text(const Standing& standing) {
  if (!standing.is_baseline) return standing.known_as;
  return standing.known_as == standing.trial.plan.expression ? "baseline" : standing.known_as + ", baseline";
}

nlohmann::json verdict_json(const StudyVerdict& verdict) {
  using Kind = StudyVerdict::Kind;
  if (verdict.kind == Kind::kOpen) return nullptr;
  return {{"text", verdict.text}, {"beats_known", verdict.kind == Kind::kAhead}};
}

nlohmann::json strategy_json(const StudySummary& s) {
  nlohmann::json json = {{"name", s.strategies.back().strategy},
                         {"first_trial", s.strategies.back().first},
                         {"options", s.options},
                         {"earlier", nlohmann::json::array()},
                         {"caution", s.caution.empty() ? nlohmann::json(nullptr) : nlohmann::json(s.caution)}};
  for (const StrategySpan& span : s.strategies) {
    if (&span == &s.strategies.back()) break;
    json["earlier"].push_back({{"name", span.strategy}, {"first_trial", span.first}});
  }
  return json;
}

// "strategy pangaea (population 4, ...) from trial 12 on, random before"
std::string strategies_text(const StudySummary& s) {
  const StrategySpan& now = s.strategies.back();
  std::string text = strategy_text(now.strategy, s.options);
  if (s.strategies.size() == 1) return text;
  text += fmt::format(" from trial {} on; before:", now.first);
  for (std::size_t i = s.strategies.size() - 1; i-- > 0;) {
    text += fmt::format(" {} from trial {}{}", s.strategies[i].strategy, s.strategies[i].first, i > 0 ? "," : "");
  }
  return text;
}

// "set aside: trials 3, 7; the last because the command ended with code 1: no such file"
std::string set_aside_text(const StudySummary& s) {
  constexpr std::size_t kMost = 8;
  const std::size_t shown = std::min(kMost, s.set_aside.size());
  const bool is_one = s.set_aside.size() == 1;
  const std::vector<std::int64_t> first(s.set_aside.begin(), s.set_aside.begin() + static_cast<std::ptrdiff_t>(shown));
  return fmt::format("set aside: trial{} {}{}; {}because {}", is_one ? "" : "s", fmt::join(first, ", "),
                     shown < s.set_aside.size() ? ", ..." : "", is_one ? "" : "the last ",
                     to_utf8(readable(reason_line(s.set_aside_reason))));
}

std::string runs_text(const Standing& standing) {
  return std::to_string(standing.runs) + (standing.failed > 0 ? fmt::format(", {} failed", standing.failed) : "");
}

}  // namespace

nlohmann::json summary_json(const StudySummary& s) {
  nlohmann::json json = {{"trials", s.counts.trials},
                         {"repeats", s.counts.repeats},
                         {"completed", s.counts.completed},
                         {"failed", s.counts.failed},
                         {"stopped", s.counts.stopped},
                         {"running", s.counts.running},
                         {"queued", s.counts.queued},
                         {"quarantined", s.counts.quarantined},
                         {"refused", s.counts.refused},
                         {"budget", s.budget},
                         {"seconds", s.seconds},
                         {"verdict", verdict_json(s.verdict)},
                         {"strategy", strategy_json(s)},
                         {"best", nullptr},
                         {"found", nullptr},
                         {"known", nlohmann::json::array()}};
  if (!s.last_reason.empty()) json["last_reason"] = s.last_reason;
  if (!s.set_aside.empty()) json["set_aside"] = {{"trials", s.set_aside}, {"last_reason", s.set_aside_reason}};
  if (s.found) json["found"] = standing_json(*s.found, s.objectives);
  for (const Objective& objective : s.objectives) json["objectives"].push_back(objective.name);
  for (const Standing& standing : s.known) json["known"].push_back(standing_json(standing, s.objectives));
  if (s.best.empty()) return json;
  json["best"] = standing_json(s.best[0], s.objectives);
  if (s.objectives.size() > 1) {
    json["front"] = nlohmann::json::array();
    for (const Standing& standing : s.best) json["front"].push_back(standing_json(standing, s.objectives));
  }
  return json;
}

void print_summary(const StudySummary& s) {
  if (!s.verdict.text.empty()) fmt::print("{}\n", s.verdict.text);
  const std::string repeats = s.counts.repeats > 0 ? fmt::format(", {} of them repeats", s.counts.repeats) : "";
  fmt::print("{} trials{}: {} completed, {} stopped early, {} failed, {} set aside, {} running, {} waiting; {}\n",
             progress_text(s.counts.over(), s.budget), repeats, s.counts.completed, s.counts.stopped, s.counts.failed,
             s.counts.quarantined, s.counts.running, s.counts.queued, duration_text(s.seconds));
  if (!s.set_aside.empty() && !s.best.empty()) {  // else the last failure is told below
    fmt::print("{}\n", set_aside_text(s));
  }
  if (s.counts.refused > 0) {
    fmt::print("refused {}, drawn but not tried because of '{}'\n", s.counts.refused, s.require);
  }
  fmt::print("{}\n", strategies_text(s));
  if (!s.caution.empty()) fmt::print("{}\n", s.caution);
  if (s.best.empty()) {
    fmt::print(
        "no function has a score yet{}\n",
        s.last_reason.empty() ? "" : "; the last trial failed: " + to_utf8(readable(reason_line(s.last_reason))));
  }
  if (s.shown.empty()) return;
  fmt::print("\n");
  print_standings(s.shown, s.objectives);
}

std::string strategy_text(const std::string& strategy, const StrategyOptions& options) {
  std::string text;
  for (const StrategyField& field : find_strategy(strategy).fields) {
    if (field.is_open) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", field.name, field_text(options, field));
  }
  return "strategy " + strategy + (text.empty() ? "" : " (" + text + ")");
}

nlohmann::json standing_json(const Standing& standing, const std::vector<Objective>& objectives) {
  nlohmann::json json = trial_json(standing.trial, objectives);
  if (standing.trial.number < 0) json["number"] = nullptr;  // the baseline, which was measured before the search
  json["known_as"] = standing.known_as.empty() ? nlohmann::json(nullptr) : nlohmann::json(standing.known_as);
  json["baseline"] = standing.is_baseline;
  json["runs"] = standing.runs;
  json["failed_runs"] = standing.failed;
  const Interval interval = shown_interval(objectives[0], standing.interval);
  json["interval"] = {number(interval.low), number(interval.high)};
  return json;
}

void print_standings(const std::vector<Standing>& standings, const std::vector<Objective>& objectives) {
  const bool repeated = std::ranges::any_of(standings, [](const Standing& s) { return std::isfinite(s.interval.low); });
  std::vector<std::string> titles = {"#trial"};
  for (const Objective& objective : objectives) titles.push_back("#" + objective.name);
  if (repeated) titles.insert(titles.end(), {"#95% interval", "#runs"});
  std::set<std::string> names;
  for (const Standing& standing : standings) {
    for (const auto& [name, value] : standing.trial.plan.hyperparameters) names.insert(name);
  }
  for (const std::string& name : names) titles.push_back("#" + name);
  const bool has_known = std::ranges::any_of(standings, [](const Standing& s) { return !s.known_as.empty(); });
  titles.insert(titles.end(), {"#seconds", "origin"});
  if (has_known) titles.emplace_back("known as");
  titles.emplace_back("function");
  std::vector<std::vector<std::string>> rows;
  for (const Standing& standing : standings) {
    const Trial& trial = standing.trial;
    std::vector<std::string> row = {trial.number < 0 ? "" : std::to_string(trial.number)};
    for (std::size_t i = 0; i < objectives.size(); ++i) {
      row.push_back(i < trial.outcome.scores.size() ? score_text(objectives[i], trial.outcome.scores[i]) : "");
    }
    if (repeated) row.insert(row.end(), {interval_text(objectives[0], standing.interval), runs_text(standing)});
    for (const std::string& name : names) {
      const auto value = trial.plan.hyperparameters.find(name);
      row.push_back(value == trial.plan.hyperparameters.end() ? "" : value->second);
    }
    row.insert(row.end(), {fmt::format("{:.1f}", trial.outcome.seconds), trial.plan.origin});
    if (has_known) row.push_back(known_text(standing));
    row.push_back(trial.plan.expression);
    rows.push_back(std::move(row));
  }
  print_table(titles, rows);
}

}  // namespace actforge::tool
