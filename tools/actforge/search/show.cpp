#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "actforge/base/duration.h"
#include "actforge/report/svg/text.h"
#include "actforge/study/trial_lineage.h"
#include "actforge/study/trial_log_file.h"
#include "tools/actforge/common/table.h"
#include "tools/actforge/search/options.h"

namespace actforge::tool {
namespace {

struct Options {
  StudyArgument study;
  std::optional<std::uint64_t> number;
};

Trial chosen_trial(const OpenStudy& study, const Options& options) {
  if (options.number) return find_trial(*study.store, *options.number);
  if (const auto best = best_trial(*study.store, study.settings)) return *best;
  throw Error(ErrorCode::kBadInput, "no function has a score yet; give the number of a trial");
}

// Indented.
void print_lines(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    fmt::print("  {}\n", to_utf8(readable(text.substr(at, end - at))));
    at = end + 1;
  }
}

// Empty: it has none.
std::string log_of(const OpenStudy& study, const Trial& trial) {
  const std::string file = trial_log_file(study.location, trial.number, trial.attempt);
  std::error_code ignored;
  return std::filesystem::is_regular_file(file, ignored) ? file : "";
}

void print_trial(const OpenStudy& study, const Trial& trial, const std::vector<Objective>& objectives) {
  Store& store = *study.store;
  fmt::print("trial {}: {}\n  {}\n", trial.number, status_text(trial.status()), trial.plan.expression);
  for (const auto& [name, value] : trial.plan.hyperparameters) fmt::print("  {} {}\n", name, value);
  print_lines(trial.outcome.reason);
  for (std::size_t i = 0; i < trial.outcome.scores.size() && i < objectives.size(); ++i) {
    fmt::print("  {} {}\n", objectives[i].name, score_text(objectives[i], trial.outcome.scores[i]));
  }
  fmt::print("  {}, attempt {}, worker {}, {}\n", duration_text(trial.outcome.seconds), trial.attempt, trial.worker,
             trial.version);
  if (const std::string log = log_of(study, trial); !log.empty()) fmt::print("  log: {}\n", log);
  fmt::print("\norigin: {}\n", trial.plan.origin);
  for (const std::string& line : trial.plan.story) fmt::print("  {}\n", line);
  for (const Trial& parent : trial_ancestors(store, trial)) {
    fmt::print("from trial {} ({}{}): {}\n", parent.number, parent.plan.origin,
               parent.outcome.scores.empty() ? "" : ", " + score_text(objectives[0], parent.outcome.scores[0]),
               parent.plan.expression);
  }
  for (const Trial& repeat : trial_repeats(store, trial.number)) {
    fmt::print("repeated by trial {}: {}{}\n", repeat.number, status_text(repeat.status()),
               repeat.outcome.scores.empty() ? "" : ", " + score_text(objectives[0], repeat.outcome.scores[0]));
  }
  const std::vector<CurvePoint> curve = store.curve(trial.number);
  if (curve.empty()) return;
  fmt::print("\n");
  std::vector<std::vector<std::string>> rows;
  rows.reserve(curve.size());
  for (const CurvePoint& point : curve) {
    rows.push_back({std::to_string(point.epoch), score_text(objectives[0], point.score)});
  }
  print_table({"#epoch", "#" + objectives[0].name}, rows);
}

int run(const Options& options) {
  const OpenStudy study = open_study(options.study.location);
  const std::vector<Objective> objectives = study_objectives(study.settings);
  const Trial trial = chosen_trial(study, options);
  const std::string evaluated = evaluated_text(study.settings, trial).value_or(trial.plan.expression);
  if (!options.study.json) {
    if (evaluated != trial.plan.expression) fmt::print("evaluated as {}\n", evaluated);
    print_trial(study, trial, objectives);
    return 0;
  }
  nlohmann::json json = trial_json(trial, objectives);
  json["evaluated"] = evaluated;
  const std::string log = log_of(study, trial);
  json["log"] = log.empty() ? nlohmann::json(nullptr) : nlohmann::json(log);
  json["curve"] = nlohmann::json::array();
  for (const CurvePoint& point : study.store->curve(trial.number)) {
    json["curve"].push_back({{"epoch", point.epoch}, {"score", point.score}});
    const nlohmann::json metrics = nlohmann::json::parse(point.metrics, nullptr, false);
    if (metrics.is_object()) json["curve"].back().update(metrics);
  }
  json["repeats"] = nlohmann::json::array();
  for (const Trial& repeat : trial_repeats(*study.store, trial.number)) {
    json["repeats"].push_back(trial_json(repeat, objectives));
  }
  json["ancestors"] = nlohmann::json::array();
  for (const Trial& parent : trial_ancestors(*study.store, trial)) json["ancestors"].push_back(parent.number);
  print_json(json);
  return 0;
}

}  // namespace

VerbAction add_search_show(CLI::App& verb) {
  const auto options = std::make_shared<Options>();
  add_study_argument(verb, options->study);
  verb.add_option_function(
      "TRIAL", [options](const std::string& text) { options->number = read_whole_number(text, "TRIAL"); },
      "The number of a trial [the best one]");
  return [options] { return run(*options); };
}

}  // namespace actforge::tool
