#include "actforge/study/page_comparisons.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "actforge/base/error.h"
#include "actforge/expr/language/parse.h"
#include "actforge/search/strategies/known_functions.h"
#include "actforge/study/comparison_table.h"

namespace actforge {
namespace {

// Runs that are compared with each other: of one group; or, where functions were trained each with its own learning
// rate, of all groups that differ by it.
struct RunSet {
  Stage stage = {};
  std::vector<StudyRun> runs = {};
  std::vector<ComparedFunction> functions = {};
};

// The order of the tables: what counts most first.
std::ptrdiff_t rank_of(const RunSet& set) {
  return std::ranges::find(stages(), set.stage.name, &StageRow::name) - stages().begin();
}

// How the functions of a study are known: its trials by what was evaluated for them, and what they are compared with.
struct Names {
  std::map<std::string, std::int64_t> trials = {};
  std::set<std::string> baselines = {};
};

Names names_of(const OpenStudy& study) {
  const StudySettings& settings = study.settings;
  Names names;
  study.store->each([&](const Trial& trial) {
    if (trial.plan.is_repeat()) return;
    const std::string text = evaluated_text(settings, trial).value_or(trial.plan.expression);
    names.trials.emplace(text, trial.number);
    names.trials.emplace(joint_key(text, trial.plan.hyperparameters), trial.number);
  });
  const auto add = [&](const std::string& function) {
    names.baselines.insert(function);
    if (const auto text = evaluated_text(settings, {.plan = {.expression = function}})) names.baselines.insert(*text);
  };
  add(settings.baseline);
  for (const KnownFunction& known : common_functions()) add(std::string(known.expression));
  return names;
}

// A study's content cannot be trusted.
bool is_function(const std::string& expression) {
  try {
    parse(expression);
    return true;
  } catch (const Error&) {
    return false;
  }
}

// A function that was run with several rates, on different occasions, is there with the last.
void add_runs(RunSet& set, const std::vector<StudyRun>& runs, std::optional<double> rate, const Hyperparameters& values,
              const Names& names) {
  for (const StudyRun& run : runs) {
    set.runs.push_back(run);
    if (!is_function(run.expression)) continue;
    const auto known = std::ranges::find(set.functions, run.expression, &ComparedFunction::expression);
    if (known != set.functions.end()) {
      known->rate = rate;
      known->hyperparameters = values;
      continue;
    }
    auto trial = names.trials.find(joint_key(run.expression, values));
    if (trial == names.trials.end()) trial = names.trials.find(run.expression);
    // What is no trial of the study was named on the command line to compare with.
    const bool is_baseline = trial == names.trials.end() || names.baselines.contains(run.expression);
    set.functions.push_back({.expression = run.expression,
                             .trial = trial == names.trials.end() || is_baseline ? -1 : trial->second,
                             .is_baseline = is_baseline,
                             .rate = rate,
                             .hyperparameters = values});
  }
}

std::string what_is_common(Stage stage) {
  stage.settings.train.erase("learning-rate");
  stage.hyperparameters.clear();
  return stage_group(stage);
}

double last_of(const std::vector<StudyRun>& runs) {
  double last = 0;
  for (const StudyRun& run : runs) last = std::max(last, run.finished);
  return last;
}

std::vector<RunSet> run_sets(const OpenStudy& study, const Names& names) {
  std::map<std::string, std::vector<std::pair<Stage, std::string>>> groups;  // by what they have in common
  for (const std::string& group : study.store->run_groups()) {
    const std::optional<Stage> stage = stage_of_group(group, study.settings);
    // Which rate suits which function is seen in the test's own table.
    if (stage && stage->name != "rates") groups[what_is_common(*stage)].emplace_back(*stage, group);
  }
  std::vector<RunSet> sets;
  for (auto& [common, members] : groups) {
    RunSet set = {.stage = members[0].first};
    if (members.size() > 1) {
      // The last occasion comes last.
      std::ranges::stable_sort(members, {},
                               [&](const auto& member) { return last_of(study.store->runs(member.second)); });
      set.stage.settings.train.erase("learning-rate");
    }
    for (const auto& [stage, group] : members) {
      const bool has_own = members.size() > 1 && stage.settings.train.contains("learning-rate");
      add_runs(set, study.store->runs(group), has_own ? std::optional(learning_rate(stage)) : std::nullopt,
               stage.hyperparameters, names);
    }
    if (!set.functions.empty()) sets.push_back(std::move(set));
  }
  std::ranges::stable_sort(sets, {}, rank_of);
  return sets;
}

// The values of the first task's parameters in a run; false: the function has none.
bool add_parameters(StudyPage& page, const StudyRun& run) {
  const nlohmann::json metrics = nlohmann::json::parse(run.outcome.metrics, nullptr, false);
  if (!metrics.is_object()) return false;
  std::map<std::string, PageParameter> by_name;
  try {
    for (const nlohmann::json& track : metrics.at("tasks").at(0).at("parameters")) {
      const auto name = track.at("parameter").get<std::string>();
      PageParameter& parameter = by_name[name];
      parameter.function = run.expression;
      parameter.parameter = name;
      parameter.epochs = track.at("epoch").get<std::vector<std::int64_t>>();
      parameter.layers.push_back(track.at("layer").get<std::string>());
      parameter.mean.push_back(track.at("mean").get<std::vector<double>>());
      parameter.low.push_back(track.at("low").get<std::vector<double>>());
      parameter.high.push_back(track.at("high").get<std::vector<double>>());
    }
  } catch (const nlohmann::json::exception&) {
    return false;
  }
  for (auto& [name, parameter] : by_name) page.parameters.push_back(std::move(parameter));
  return !by_name.empty();
}

// Best function first, each once.
void add_parameters(StudyPage& page, const Comparison& comparison, const std::vector<StudyRun>& runs,
                    std::set<std::string>& shown) {
  constexpr std::size_t kMost = 3;
  for (const ComparisonRow& row : comparison.rows) {
    const auto run = std::ranges::find_if(runs, [&](const StudyRun& r) {
      return r.expression == row.function.expression && r.outcome.status == TrialStatus::kCompleted;
    });
    if (shown.size() == kMost || run == runs.end() || shown.contains(run->expression)) continue;
    if (add_parameters(page, *run)) shown.insert(run->expression);
  }
}

}  // namespace

void add_comparisons(StudyPage& page, const OpenStudy& study) {
  std::set<std::string> shown;
  for (const RunSet& set : run_sets(study, names_of(study))) {
    ComparisonQuestion question = {.functions = set.functions, .against_best = set.functions.size() > 1};
    for (const StudyRun& run : set.runs) question.repeats = std::max(question.repeats, run.repeat + 1);
    const Comparison comparison = compare(*study.store, set.stage, question);
    if (set.stage.name == "baseline") {
      page.baseline = set.functions[0].expression;
      if (!comparison.rows[0].scores.empty()) page.baseline_score = comparison.rows[0].summary.mean;
      continue;
    }
    const std::string verdict = comparison_verdict(comparison);
    ComparisonTable table = comparison_table(comparison, false);
    page.tables.push_back(
        {table.title, verdict + (verdict.empty() ? "" : " ") + table.caption, table.columns, table.rows});
    add_parameters(page, comparison, set.runs, shown);
  }
}

}  // namespace actforge
