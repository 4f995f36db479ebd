#include "actforge/study/study_page_of.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <map>

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
#include "actforge/study/finalists.h"
#include "actforge/study/page_comparisons.h"
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

PageRuns page_runs(const Standing& standing, const Objective& objective) {
  const double a = shown_score(objective, standing.interval.low), b = shown_score(objective, standing.interval.high);
  return {.count = standing.runs, .failed = standing.failed, .low = std::min(a, b), .high = std::max(a, b)};
}

std::string origin_text(const TrialPlan& plan) {
  return plan.origin + (plan.hyperparameters.empty() ? "" : "; " + hyperparameters_text(plan.hyperparameters));
}

PageTrial page_trial(const Trial& trial, const std::vector<Objective>& objectives) {
  return {.number = trial.number,
          .expression = trial.plan.expression,
          .status = std::string(trial_status_name(trial.status())),
          .scores = shown_scores(trial.outcome.scores, objectives),
          .seconds = trial.outcome.seconds,
          .finish_order = trial.finish_order,
          .origin = origin_text(trial.plan),
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

// Every function, with the means of those that were evaluated again.
void add_page_trials(StudyPage& page, const OpenStudy& study, const std::vector<Objective>& objectives) {
  std::map<std::int64_t, Standing> repeated;
  if (study.store->counts().repeats > 0) {
    for (Standing& standing : standings(*study.store, study.settings, std::numeric_limits<std::size_t>::max())) {
      const std::int64_t number = standing.trial.number;
      repeated.emplace(number, std::move(standing));
    }
  }
  study.store->each([&](const Trial& trial) {
    if (trial.plan.is_repeat()) return;
    const auto found = repeated.find(trial.number);
    page.trials.push_back(page_trial(found == repeated.end() ? trial : found->second.trial, objectives));
    if (found != repeated.end()) page.trials.back().runs = page_runs(found->second, objectives[0]);
  });
}

// The winner first: by re-ranking, where there was one.
std::vector<Standing> best_trials_of(const OpenStudy& study) {
  std::vector<Standing> best;
  const std::vector<Standing> ranked = standings(*study.store, study.settings, 4 * kFunctions);
  const auto add = [&](std::int64_t number) {
    const auto has_number = [&](const Standing& s) { return s.trial.number == number; };
    if (std::ranges::any_of(best, has_number) || best.size() == kFunctions) return;
    const auto standing = std::ranges::find_if(ranked, has_number);
    if (standing != ranked.end()) {
      best.push_back(*standing);
    } else if (const std::optional<Trial> trial = study.store->find(number)) {
      best.push_back({.trial = *trial});
    }
  };
  if (find_evaluator(study.settings.evaluator).nature(study.settings.evaluate).no_repeats.empty()) {
    for (const ComparedFunction& f : finalists(*study.store, study.settings, kFunctions, {}).functions) {
      add(f.trial);
    }
  }
  for (const Standing& standing : ranked) add(standing.trial.number);
  return best;
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
  if (counts.repeats > 0) page.figures.emplace_back("of them repeats", std::to_string(counts.repeats));
  if (counts.stopped > 0) page.figures.emplace_back("stopped early", std::to_string(counts.stopped));
  if (!summary.best.empty()) {
    page.figures.emplace_back("best " + summary.objectives[0].name,
                              score_text(summary.objectives[0], summary.best[0].trial.outcome.scores[0]));
  }
  if (page.baseline_score) page.figures.emplace_back(page.baseline, with_digits(*page.baseline_score, 5));
}

}  // namespace

StudyPage study_page_of(const OpenStudy& study, const std::string& location, bool with_map) {
  Store& store = *study.store;
  const StudySummary summary = summarise(store, study.settings);
  StudyPage page = {.title = "Study " + store_title(location)};
  for (const Objective& objective : summary.objectives) {
    page.objectives.push_back({.name = objective.name, .less_is_better = objective.less_is_better});
  }
  page.verdict = summary.verdict.text;
  add_page_trials(page, study, summary.objectives);
  const StrategyRow& strategy = find_strategy(study.settings.strategy);
  constexpr std::uint64_t kUsualPopulation = 20;
  page.population = static_cast<std::int64_t>(
      strategy.population != nullptr ? strategy.population(study.settings.options) : kUsualPopulation);
  add_comparisons(page, study);
  add_notes(page, summary, study.settings);
  add_figures(page, summary);
  for (const Standing& standing : best_trials_of(study)) {
    const Trial& trial = standing.trial;
    page.functions.push_back(page_function(evaluated_text(study.settings, trial).value_or(trial.plan.expression),
                                           trial.number, shown_scores(trial.outcome.scores, summary.objectives)));
    page.functions.back().runs = page_runs(standing, summary.objectives[0]);
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
