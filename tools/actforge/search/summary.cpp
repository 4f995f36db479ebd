#include "tools/actforge/search/summary.h"

#include <fmt/format.h>

#include "actforge/base/duration.h"
#include "tools/actforge/common/table.h"

namespace actforge::tool {

nlohmann::json summary_json(const StudySummary& s) {
  nlohmann::json json = {{"trials", s.counts.trials},
                         {"completed", s.counts.completed},
                         {"failed", s.counts.failed},
                         {"stopped", s.counts.stopped},
                         {"running", s.counts.running},
                         {"queued", s.counts.queued},
                         {"quarantined", s.counts.quarantined},
                         {"budget", s.budget},
                         {"seconds", s.seconds},
                         {"best", nullptr}};
  for (const Objective& objective : s.objectives) json["objectives"].push_back(objective.name);
  if (s.best.empty()) return json;
  json["best"] = trial_json(s.best[0], s.objectives);
  if (s.objectives.size() > 1) {
    json["front"] = nlohmann::json::array();
    for (const Trial& trial : s.best) json["front"].push_back(trial_json(trial, s.objectives));
  }
  return json;
}

void print_summary(const StudySummary& s) {
  fmt::print("{} trials: {} completed, {} stopped early, {} failed, {} set aside, {} running, {} waiting; {}\n",
             progress_text(s.counts.over(), s.budget), s.counts.completed, s.counts.stopped, s.counts.failed,
             s.counts.quarantined, s.counts.running, s.counts.queued, duration_text(s.seconds));
  if (s.best.empty()) {
    fmt::print("no function has a score yet\n");
    return;
  }
  fmt::print("\n");
  print_trials(s.best, s.objectives);
}

void print_trials(const std::vector<Trial>& trials, const std::vector<Objective>& objectives) {
  std::vector<std::string> titles = {"#trial"};
  for (const Objective& objective : objectives) titles.push_back("#" + objective.name);
  titles.insert(titles.end(), {"#seconds", "origin", "function"});
  std::vector<std::vector<std::string>> rows;
  for (const Trial& trial : trials) {
    std::vector<std::string> row = {std::to_string(trial.number)};
    for (std::size_t i = 0; i < objectives.size(); ++i) {
      row.push_back(i < trial.outcome.scores.size() ? score_text(objectives[i], trial.outcome.scores[i]) : "");
    }
    row.insert(row.end(), {fmt::format("{:.1f}", trial.outcome.seconds), trial.plan.origin, trial.plan.expression});
    rows.push_back(std::move(row));
  }
  print_table(titles, rows);
}

}  // namespace actforge::tool
