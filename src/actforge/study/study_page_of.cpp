#include "actforge/study/study_page_of.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "actforge/base/digits_text.h"
#include "actforge/base/duration.h"
#include "actforge/base/error.h"
#include "actforge/base/version.h"
#include "actforge/expr/export/export.h"
#include "actforge/expr/language/parse.h"
#include "actforge/expr/language/print.h"
#include "actforge/expr/language/reference.h"
#include "actforge/search/evaluators/evaluator.h"
#include "actforge/store/backends.h"
#include "actforge/study/comparison_table.h"
#include "actforge/study/finalists.h"
#include "actforge/study/study_map.h"
#include "actforge/study/summary.h"

namespace actforge {
namespace {

constexpr std::size_t kFunctions = 12;  // drawn, with buttons

std::string time_text(double seconds) {
  if (!(seconds > 0 && seconds < 4e9)) return "";
  const auto whole = static_cast<std::time_t>(seconds);
  std::tm parts = {};
  std::array<char, 32> text{};
  const std::size_t size = std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S UTC", gmtime_r(&whole, &parts));
  return std::string(text.data(), size);
}

std::vector<double> shown_scores(const std::vector<double>& scores, const std::vector<Objective>& objectives) {
  std::vector<double> shown;
  for (std::size_t i = 0; i < scores.size() && i < objectives.size(); ++i) {
    shown.push_back(shown_score(objectives[i], scores[i]));
  }
  return shown;
}

PageTrial page_trial(const Trial& trial, const std::vector<Objective>& objectives) {
  return {.number = trial.number,
          .expression = trial.plan.expression,
          .status = std::string(trial_status_name(trial.status())),
          .scores = shown_scores(trial.outcome.scores, objectives),
          .seconds = trial.outcome.seconds,
          .finish_order = trial.finish_order,
          .origin = trial.plan.origin,
          .reason = trial.outcome.reason};
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      bits = bits << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      text += i + k > bytes.size() ? '=' : kDigits[bits >> (18 - 6 * k) & 63];
    }
  }
  return text;
}

// A file that is not text; the button copies a line of Python that writes it.
std::string python_line(const ExportTarget& target, const std::string& file) {
  return "import base64; open('activation" + std::string(target.file_extension) + "', 'wb').write(base64.b64decode('" +
         base64(file) + "'))\n";
}

std::vector<std::pair<std::string, std::string>> exports_of(const Expr& expr) {
  std::vector<std::pair<std::string, std::string>> exports;
  for (const ExportTarget& target : export_targets()) {
    const std::string file = target.write(expr, {});
    exports.emplace_back(target.title, target.binary ? python_line(target, file) : file);
  }
  return exports;
}

void draw(PageFunction& function, const Expr& expr) {
  constexpr int kPoints = 401;
  const Reference reference(expr);
  function.value.label = "f(x)";
  function.slope.label = "f'(x)";
  for (int i = 0; i < kPoints; ++i) {
    const double x = -5 + 10.0 * i / (kPoints - 1);
    const ValueAndSlope at = reference.at(x);
    function.value.x.push_back(x);
    function.value.y.push_back(at.value);
    function.slope.x.push_back(x);
    function.slope.y.push_back(at.slope);
  }
}

// A study's content cannot be trusted: text that is not a function is only shown.
PageFunction page_function(const std::string& expression, std::int64_t trial, std::vector<double> scores) {
  PageFunction function = {.trial = trial, .expression = expression};
  function.scores = std::move(scores);
  try {
    const Expr expr = parse(expression);
    function.infix = to_infix(expr);
    draw(function, expr);
    function.exports = exports_of(expr);
  } catch (const Error&) {
    return function;
  }
  return function;
}

// Everything a trial descends from, by number; of large families the nearest.
std::vector<PageAncestor> family_of(Store& store, const Trial& winner, const Objective& objective) {
  constexpr std::size_t kMost = 200;
  std::map<std::int64_t, Trial> family = {{winner.number, winner}};
  std::vector<std::int64_t> open = winner.plan.parents;
  for (std::size_t i = 0; i < open.size() && family.size() < kMost; ++i) {
    if (family.contains(open[i])) continue;
    const std::optional<Trial> parent = store.find(open[i]);
    if (!parent) continue;
    family.emplace(parent->number, *parent);
    open.insert(open.end(), parent->plan.parents.begin(), parent->plan.parents.end());
  }
  std::vector<PageAncestor> page;
  for (const auto& [number, trial] : family) {
    PageAncestor ancestor = {.number = number, .expression = trial.plan.expression, .origin = trial.plan.origin};
    if (!trial.outcome.scores.empty()) ancestor.score = shown_score(objective, trial.outcome.scores[0]);
    ancestor.story = trial.plan.story;
    for (const std::int64_t parent : trial.plan.parents) {
      if (family.contains(parent)) ancestor.parents.push_back(parent);
    }
    page.push_back(std::move(ancestor));
  }
  return page;
}

// The winner first: by re-ranking, where there was one.
std::vector<Trial> best_trials_of(const OpenStudy& study) {
  std::vector<Trial> best;
  const auto add = [&](const std::optional<Trial>& trial) {
    const bool known = !trial || std::any_of(best.begin(), best.end(),
                                             [&](const Trial& other) { return other.number == trial->number; });
    if (!known && best.size() < kFunctions) best.push_back(*trial);
  };
  if (find_evaluator(study.settings.evaluator).no_repeats.empty()) {
    for (const ComparedFunction& f : finalists(*study.store, study.settings, kFunctions, {}).functions) {
      add(study.store->find(f.trial));
    }
  }
  for (const Trial& trial : study.store->top(kFunctions)) add(trial);
  return best;
}

// The runs of a group, put side by side again.
struct Group {
  std::string name;
  GroupText text;
  std::vector<StudyRun> runs;
};

// The order of the tables: what counts most first.
int rank_of(const std::string& stage) {
  return stage == "final" ? 0 : stage == "transfer" ? 1 : stage == "rerank" ? 2 : 3;
}

std::vector<Group> groups_of(Store& store) {
  std::vector<Group> groups;
  for (const std::string& name : store.run_groups()) groups.push_back({name, group_text(name), store.runs(name)});
  std::stable_sort(groups.begin(), groups.end(),
                   [](const Group& a, const Group& b) { return rank_of(a.text.stage) < rank_of(b.text.stage); });
  return groups;
}

bool is_function(const std::string& expression) {
  try {
    parse(expression);
    return true;
  } catch (const Error&) {
    return false;
  }
}

std::vector<ComparedFunction> functions_of(const Group& group, const std::map<std::string, std::int64_t>& trials,
                                           const std::string& baseline) {
  std::vector<ComparedFunction> functions;
  for (const StudyRun& run : group.runs) {
    const bool known = std::any_of(functions.begin(), functions.end(),
                                   [&](const ComparedFunction& f) { return f.expression == run.expression; });
    if (known || !is_function(run.expression)) continue;
    const auto trial = trials.find(run.expression);
    functions.push_back({.expression = run.expression,
                         .trial = trial == trials.end() ? -1 : trial->second,
                         .is_baseline = run.expression == baseline});
  }
  return functions;
}

// The value of the first task's parameters, of the first run of a function that has any.
void add_parameters(StudyPage& page, const StudyRun& run) {
  const nlohmann::json metrics = nlohmann::json::parse(run.outcome.metrics, nullptr, false);
  if (!metrics.is_object()) return;
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
    return;
  }
  for (auto& [name, parameter] : by_name) page.parameters.push_back(std::move(parameter));
}

void add_comparisons(StudyPage& page, const OpenStudy& study) {
  std::map<std::string, std::int64_t> trials;
  for (const PageTrial& trial : page.trials) trials.emplace(trial.expression, trial.number);
  const std::vector<Objective> objectives = study_objectives(study.settings);
  std::set<std::string> shown;
  for (const Group& group : groups_of(*study.store)) {
    const std::optional<Stage> stage = stage_of_group(group.name, study.settings);
    if (!stage || group.runs.empty()) continue;
    ComparisonQuestion question = {.functions = functions_of(group, trials, study.settings.baseline)};
    for (const StudyRun& run : group.runs) question.repeats = std::max(question.repeats, run.repeat + 1);
    for (const ComparedFunction& f : question.functions)
      question.against = f.is_baseline ? f.expression : question.against;
    if (question.functions.empty()) continue;
    if (question.functions.size() == 1) question.against = "";
    Comparison comparison = compare(*study.store, *stage, question);
    if (group.text.stage == "baseline") {
      page.baseline = question.functions[0].expression;
      if (!comparison.rows[0].scores.empty()) page.baseline_score = comparison.rows[0].summary.mean;
      continue;
    }
    ComparisonTable table = comparison_table(comparison, false);
    page.tables.push_back({table.title, table.caption, table.columns, table.rows});
    // How parameters moved, best function first, each once.
    for (const ComparisonRow& row : comparison.rows) {
      const auto run = std::find_if(group.runs.begin(), group.runs.end(), [&](const StudyRun& r) {
        return r.expression == row.function.expression && r.outcome.status == TrialStatus::kCompleted;
      });
      if (shown.size() < 3 && run != group.runs.end() && shown.insert(run->expression).second)
        add_parameters(page, *run);
    }
  }
}

void add_notes(StudyPage& page, const StudySummary& summary, const StudySettings& settings) {
  const TrialCounts& counts = summary.counts;
  const auto over = static_cast<std::uint64_t>(counts.over());
  if (counts.trials == 0) {
    page.notes.emplace_back("This study has no trials yet.");
  } else if (counts.running + counts.queued > 0 || over < std::min(summary.budget, kMostTrials)) {
    page.notes.push_back("This study is unfinished: " + progress_text(counts.over(), settings.trials) +
                         " trials have ended.");
  }
  if (counts.over() > 0 && counts.completed == 0) {
    page.notes.emplace_back("No trial was completed, so there is no best function. The table says why they failed.");
  }
}

void add_figures(StudyPage& page, const StudySummary& summary) {
  const TrialCounts& counts = summary.counts;
  page.figures = {{"trials", progress_text(counts.over(), summary.budget)},
                  {"completed", std::to_string(counts.completed)},
                  {"failed", std::to_string(counts.failed + counts.quarantined)},
                  {"time", duration_text(summary.seconds)}};
  if (counts.stopped > 0) page.figures.emplace_back("stopped early", std::to_string(counts.stopped));
  if (!summary.best.empty()) {
    page.figures.emplace_back("best " + summary.objectives[0].name,
                              score_text(summary.objectives[0], summary.best[0].outcome.scores[0]));
  }
  if (page.baseline_score) page.figures.emplace_back(page.baseline, with_digits(*page.baseline_score, 5));
}

}  // namespace

StudyPage study_page_of(const OpenStudy& study, const std::string& location, bool with_map) {
  Store& store = *study.store;
  const StudySummary summary = summarise(store, study.settings);
  StudyPage page = {.title = "Study " + store_title(location)};
  for (const Objective& objective : summary.objectives) {
    page.objectives.push_back({.name = objective.name, .less_is_better = objective.measure != "accuracy"});
  }
  store.each([&](const Trial& trial) { page.trials.push_back(page_trial(trial, summary.objectives)); });
  const StrategyRow& strategy = find_strategy(study.settings.strategy);
  constexpr std::uint64_t kUsualPopulation = 20;
  page.population = static_cast<std::int64_t>(
      strategy.population != nullptr ? strategy.population(study.settings.options) : kUsualPopulation);
  add_comparisons(page, study);
  add_notes(page, summary, study.settings);
  add_figures(page, summary);
  for (const Trial& trial : best_trials_of(study)) {
    page.functions.push_back(
        page_function(trial.plan.expression, trial.number, shown_scores(trial.outcome.scores, summary.objectives)));
    if (page.family.empty()) page.family = family_of(store, trial, summary.objectives[0]);
  }
  if (with_map) page.map = study_map(study);
  const StudyHeader header = store.header();
  page.settings = header.settings;
  page.versions = {{"made by", header.version}, {"made", time_text(header.created)}, {"page by", software_version()}};
  for (const StudyEvent& event : store.events()) {
    page.events.push_back(time_text(event.time) + "  " + event.kind + "  " + event.text);
  }
  return page;
}

}  // namespace actforge
