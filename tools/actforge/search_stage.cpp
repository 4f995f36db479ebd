#include "actforge/search_stage.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "actforge/base/atomic_file.h"
#include "actforge/comparison_text.h"
#include "actforge/expr/parse.h"
#include "actforge/expr/print.h"
#include "actforge/interrupt.h"
#include "actforge/progress.h"
#include "actforge/search/equal_functions.h"
#include "actforge/search/stage_runner.h"

namespace actforge::tool {
namespace {

std::string outcome_text(const Stage& stage, const TrialOutcome& outcome) {
  if (outcome.scores.empty()) return std::string(trial_status_name(outcome.status)) + " (" + outcome.reason + ")";
  return score_text(study_objectives(stage.settings)[0], outcome.scores[0]);
}

bool equals_one_of(const Expr& expr, const std::vector<std::string>& others) {
  return std::any_of(others.begin(), others.end(),
                     [&](const std::string& other) { return nearly_equal(expr, parse(other)); });
}

// A study may have been written by anybody.
bool is_new_function(const std::string& expression, const std::vector<std::string>& others) {
  try {
    return !equals_one_of(parse(expression), others);
  } catch (const Error&) {
    return false;
  }
}

// A look at the test images, unless it only goes on with one that was interrupted. Which one it is.
std::size_t note_look(Store& store, const Stage& stage, const StageRun& run, bool is_new) {
  constexpr const char* kKind = "test images used";
  std::string list;
  for (const std::string& function : run.functions) list += (list.empty() ? "" : "; ") + function;
  const std::string text = fmt::format("{}: {}; {} runs each of: {}", stage.name, stage_text(stage), run.repeats, list);
  std::size_t looks = 0;
  bool is_known = false;
  for (const StudyEvent& event : store.events()) {
    if (event.kind != kKind) continue;
    ++looks;
    is_known |= event.text == text;
  }
  if (!is_new || is_known) return looks;
  store.add_event(kKind, text);
  return looks + 1;
}

}  // namespace

int run_stage(Store& store, const StageRun& run) {
  const std::vector<StageJob> jobs = missing_jobs(store, run.stage, run.functions, run.repeats);
  if (jobs.empty()) return 0;
  const Interrupt interrupt;
  Progress progress(run.stage.name);
  const bool is_terminal = isatty(STDERR_FILENO) != 0;
  StageRunOptions options = {.command = {this_program(), "search", "evaluate",
                                         std::filesystem::absolute(run.place).string(), "--stage", run.stage.name}};
  options.command.insert(options.command.end(), run.arguments.begin(), run.arguments.end());
  const std::vector<std::string> flags = changed_flags(run.settings);
  options.command.insert(options.command.end(), flags.begin(), flags.end());
  options.workers = run.settings.workers;
  options.attempts = run.attempts;
  options.stop = [&] { return interrupt.requested(); };
  std::string last;
  options.done = [&](const StageJob& job, const TrialOutcome& outcome) {
    store.add_run({.group = stage_group(run.stage),
                   .expression = job.expression,
                   .key = job.key,
                   .repeat = job.repeat,
                   .seed = stage_seed(run.stage, job.repeat),
                   .outcome = outcome,
                   .version = software_version()});
    last = fmt::format("{} {}", outcome_text(run.stage, outcome), job.expression);
    if (!is_terminal) fmt::print(stderr, "{} run {}: {}\n", run.stage.name, job.repeat + 1, last);
  };
  options.progress = [&](std::size_t done, std::size_t all) { progress.show(done, all, last); };
  if (run_jobs(jobs, options)) return 0;
  fmt::print(stderr, "actforge: stopped; the same command goes on\n");
  return interrupt.exit_code();
}

void add_stage_flags(CLI::App& verb, StageFlags& flags) {
  verb.add_option("STUDY", flags.place, "The study's file, such as study.db")->required();
  add_whole_number(verb, "--runs", flags.runs, "Independent runs of each function");
  add_whole_number(verb, "--top", flags.top, "How many of the study's functions");
  verb.add_option("--function", flags.functions, "Another function to look at; may be given several times")
      ->type_name("EXPR")
      ->allow_extra_args(false);
  verb.add_option("--baseline", flags.baselines,
                  "A function to compare with; may be given several times. The study's baseline, if not given")
      ->type_name("EXPR")
      ->allow_extra_args(false);
  verb.add_option("--against", flags.against, "The baseline that the tests compare with; the first, if not given")
      ->type_name("EXPR");
  verb.add_option("--format", flags.format, "text, csv, json or latex")
      ->capture_default_str()
      ->check(CLI::IsMember({"text", "csv", "json", "latex"}));
  verb.add_flag_callback(
      "--json", [&flags] { flags.format = "json"; }, "The same as --format json");
  verb.add_option("--statistic", flags.statistic, "Shown for each function: mean (with its deviation), or median")
      ->capture_default_str()
      ->check(CLI::IsMember({"mean", "median"}));
  verb.add_option("-o,--output", flags.output, "Where the table goes; standard output, if not given")
      ->type_name("FILE");
  add_study_flags(verb, flags.study, StudyFlagKind::kStage);
}

OpenStudy open_stage(const StageFlags& flags) {
  OpenStudy study = open_study(flags.place);
  apply_flags(study.settings, flags.study);
  if (flags.runs < 1) throw Error(ErrorCode::kUsage, "--runs: at least one");
  return study;
}

std::vector<ComparedFunction> best_functions(Store& store, std::size_t count,
                                             const std::vector<std::string>& baselines) {
  std::vector<ComparedFunction> best;
  std::vector<std::string> taken = baselines;
  // Equal ones are rare, so a few more than asked for are enough.
  for (const Trial& trial : store.top(4 * count + 20)) {
    if (best.size() == count) break;
    if (!is_new_function(trial.plan.expression, taken)) continue;
    best.push_back({.expression = trial.plan.expression, .trial = trial.number});
    taken.push_back(trial.plan.expression);
  }
  return best;
}

Finalists finalists(Store& store, const StudySettings& settings, std::size_t count,
                    const std::vector<std::string>& baselines) {
  const Stage stage = rerank_stage(settings);
  const std::vector<StudyRun> runs = store.runs(stage_group(stage));
  ComparisonQuestion question;
  for (const StudyRun& run : runs) {
    question.repeats = std::max(question.repeats, run.repeat + 1);
    const bool known = std::any_of(question.functions.begin(), question.functions.end(),
                                   [&](const ComparedFunction& f) { return f.expression == run.expression; });
    if (!known && is_new_function(run.expression, baselines)) question.functions.push_back({run.expression});
  }
  if (question.functions.empty()) return {best_functions(store, count, baselines), false};
  Finalists chosen = {.functions = {}, .is_reranked = true};
  for (const ComparisonRow& row : compare(store, stage, question).rows) {
    if (chosen.functions.size() < count) chosen.functions.push_back(row.function);
  }
  store.each([&](const Trial& trial) {
    for (ComparedFunction& function : chosen.functions) {
      if (function.expression == trial.plan.expression) function.trial = trial.number;
    }
  });
  return chosen;
}

std::vector<ComparedFunction> with_others(std::vector<ComparedFunction> chosen, const StageFlags& flags,
                                          const std::vector<std::string>& baselines) {
  std::vector<std::string> taken = expressions_of(chosen);
  const auto add = [&](const std::string& expression, bool is_baseline) {
    if (std::find(taken.begin(), taken.end(), expression) != taken.end()) return;
    taken.push_back(expression);
    chosen.push_back({.expression = expression, .trial = -1, .is_baseline = is_baseline});
  };
  for (const std::string& function : flags.functions) add(to_call(read_expr(function)), false);
  for (const std::string& baseline : baselines) add(baseline, true);
  return chosen;
}

std::vector<std::string> expressions_of(const std::vector<ComparedFunction>& functions) {
  std::vector<std::string> expressions;
  for (const ComparedFunction& function : functions) expressions.push_back(function.expression);
  return expressions;
}

std::vector<std::string> baselines_of(const StageFlags& flags, const StudySettings& settings) {
  std::vector<std::string> baselines = flags.baselines;
  if (baselines.empty()) baselines = {settings.baseline.empty() ? "relu(x)" : settings.baseline};
  for (std::string& baseline : baselines) baseline = to_call(read_expr(baseline));
  return baselines;
}

int answer_stage(const OpenStudy& study, const StageFlags& flags, const StageQuestion& question) {
  StageRun run = {.place = flags.place,
                  .settings = study.settings,
                  .stage = question.stage,
                  .arguments = question.arguments,
                  .functions = expressions_of(question.functions),
                  .repeats = static_cast<std::int64_t>(flags.runs),
                  .attempts = static_cast<int>(study.settings.attempts)};
  // Before anything is run: test images are not looked at in vain.
  ComparisonQuestion asked = {.functions = question.functions, .against = {}, .repeats = run.repeats};
  for (const ComparedFunction& function : question.functions) {
    if (function.is_baseline && asked.against.empty()) asked.against = function.expression;
  }
  if (!flags.against.empty()) {
    asked.against = to_call(read_expr(flags.against));
    const std::vector<std::string>& all = run.functions;
    if (std::find(all.begin(), all.end(), asked.against) == all.end()) {
      throw Error(ErrorCode::kUsage, "--against: '" + asked.against + "' is not among the functions that were run");
    }
  }
  const bool is_new = !missing_jobs(*study.store, run.stage, run.functions, run.repeats).empty();
  const std::size_t looks = question.stage.test ? note_look(*study.store, run.stage, run, is_new) : 0;
  if (const int code = run_stage(*study.store, run); code != 0) return code;
  ComparisonText text = {.format = flags.format, .median = flags.statistic == "median", .looks = looks};
  text.notes = question.notes;
  const std::vector<Objective> objectives = study_objectives(question.stage.settings);
  for (asked.objective = 0; asked.objective < objectives.size(); ++asked.objective) {
    if (objectives[asked.objective].measure != "cost") {
      text.comparisons.push_back(compare(*study.store, question.stage, asked));
    }
  }
  const std::string result = comparison_text(text);
  flags.output.empty() ? write_output(result) : write_file(flags.output, result);
  return 0;
}

}  // namespace actforge::tool
