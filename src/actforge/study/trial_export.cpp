#include "actforge/study/trial_export.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "actforge/base/csv.h"
#include "actforge/base/digits_text.h"
#include "actforge/base/number_text.h"
#include "actforge/study/summary.h"

namespace actforge {
namespace {

nlohmann::json number(double value) { return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(nullptr); }

std::string joined(const std::vector<std::int64_t>& numbers) {
  std::string text;
  for (const std::int64_t one : numbers) text += (text.empty() ? "" : " ") + std::to_string(one);
  return text;
}

std::string csv_line(const Trial& trial, const std::vector<Objective>& objectives) {
  const TrialPlan& plan = trial.plan;
  const TrialOutcome& outcome = trial.outcome;
  std::vector<std::string> fields = {std::to_string(trial.number), csv_field(plan.expression),
                                     std::string(trial_status_name(trial.status())),
                                     outcome.scores.empty() ? "" : number_text(outcome.scores[0])};
  for (std::size_t i = 0; i < objectives.size(); ++i) {
    fields.push_back(i < outcome.scores.size() ? number_text(shown_score(objectives[i], outcome.scores[i])) : "");
  }
  for (const std::string& field :
       {number_text(outcome.seconds), std::to_string(plan.generation), csv_field(plan.origin), joined(plan.parents),
        std::to_string(trial.attempt), csv_field(plan.key), std::to_string(plan.seed), with_decimals(trial.asked, 3),
        with_decimals(trial.finished, 3), csv_field(trial.worker), csv_field(trial.version), csv_field(outcome.reason),
        plan.is_repeat() ? std::to_string(plan.repeat_of) : std::string(),
        csv_field(hyperparameters_text(plan.hyperparameters))}) {
    fields.push_back(field);
  }
  std::string line;
  for (std::size_t i = 0; i < fields.size(); ++i) line += (i > 0 ? "," : "") + fields[i];
  return line + "\n";
}

}  // namespace

nlohmann::json trial_json(const Trial& trial, const std::vector<Objective>& objectives) {
  nlohmann::json json = {
      {"number", trial.number},
      {"expression", trial.plan.expression},
      {"status", trial_status_name(trial.status())},
      {"score", trial.outcome.scores.empty() ? nlohmann::json(nullptr) : number(trial.outcome.scores[0])},
      {"seconds", trial.outcome.seconds},
      {"origin", trial.plan.origin},
      {"parents", trial.plan.parents},
      {"repeat_of", trial.plan.is_repeat() ? nlohmann::json(trial.plan.repeat_of) : nlohmann::json(nullptr)},
      {"story", trial.plan.story},
      {"generation", trial.plan.generation},
      {"key", trial.plan.key},
      {"seed", trial.plan.seed},
      {"attempt", trial.attempt},
      {"reason", trial.outcome.reason},
      {"worker", trial.worker},
      {"version", trial.version},
      {"asked", trial.asked},
      {"finished", trial.finished}};
  for (std::size_t i = 0; i < trial.outcome.scores.size() && i < objectives.size(); ++i) {
    json["objectives"][objectives[i].name] = number(shown_score(objectives[i], trial.outcome.scores[i]));
  }
  if (!trial.plan.hyperparameters.empty()) {
    json["hyperparameters"] = nlohmann::json::parse(hyperparameters_json(trial.plan.hyperparameters));
  }
  const nlohmann::json metrics = nlohmann::json::parse(trial.outcome.metrics, nullptr, false);
  if (metrics.is_object()) json["metrics"] = metrics;
  return json;
}

void write_trials_csv(Store& store, const StudySettings& settings, const WriteText& write) {
  const std::vector<Objective> objectives = study_objectives(settings);
  std::string head = "number,expression,status,score";
  for (const Objective& objective : objectives) head += "," + csv_field(objective.name);
  write(head +
        ",seconds,generation,origin,parents,attempt,key,seed,asked,finished,worker,version,reason,repeat_of,"
        "hyperparameters\n");
  store.each([&](const Trial& trial) { write(csv_line(trial, objectives)); });
}

void write_trials_json(Store& store, const StudySettings& settings, const WriteText& write) {
  const std::vector<Objective> objectives = study_objectives(settings);
  const char* before = "[\n";
  store.each([&](const Trial& trial) {
    write(before + trial_json(trial, objectives).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    before = ",\n";
  });
  write(*before == '[' ? "[]\n" : "\n]\n");
}

}  // namespace actforge
