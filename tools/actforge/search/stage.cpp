#include "tools/actforge/search/stage.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "actforge/base/atomic_file.h"
#include "actforge/expr/language/print.h"
#include "actforge/search/strategies/known_functions.h"
#include "actforge/study/comparison_table.h"
#include "tools/actforge/common/interrupt.h"
#include "tools/actforge/search/comparison_text.h"

namespace actforge::tool {
namespace {

std::string outcome_text(const Stage& stage, const TrialOutcome& outcome) {
  if (outcome.scores.empty()) return std::string(trial_status_name(outcome.status)) + " (" + outcome.reason + ")";
  return score_text(study_objectives(stage.settings)[0], outcome.scores[0]);
}

}  // namespace

StageDisplay::StageDisplay(const Stage& stage)
    : stage_(stage), progress_(stage.name), is_terminal_(isatty(STDERR_FILENO) != 0) {}

void StageDisplay::tell(const StageJob& job, const TrialOutcome& outcome) {
  last_ = fmt::format("{} {}", outcome_text(stage_, outcome), job.expression);
  if (!is_terminal_) fmt::print(stderr, "{} run {}: {}\n", stage_.name, job.repeat + 1, last_);
}

void add_stage_flags(CLI::App& verb, StageFlags& flags, const std::string& baselines) {
  verb.add_option("STUDY", flags.place, "The study's file, such as study.db")->required();
  add_whole_number(verb, "--runs", flags.runs, "Repeats: independent trainings of each function");
  add_whole_number(verb, "--top", flags.top, "How many of the study's functions");
  verb.add_option("--function", flags.functions, "Another function to evaluate; repeatable")
      ->type_name("EXPR")
      ->allow_extra_args(false);
  verb.add_option("--baseline", flags.baselines, "A function to compare with; repeatable [" + baselines + "]")
      ->type_name("EXPR")
      ->allow_extra_args(false);
  verb.add_option("--against", flags.against, "The function that the tests compare with [the best baseline]")
      ->type_name("EXPR");
  verb.add_option("--format", flags.format, "text, csv, json or latex")
      ->capture_default_str()
      ->check(CLI::IsMember({"text", "csv", "json", "latex"}));
  verb.add_flag_callback(
      "--json", [&flags] { flags.format = "json"; }, "The same as --format json");
  verb.add_option("--statistic", flags.statistic, "Shown for each function: mean (with its deviation), or median")
      ->capture_default_str()
      ->check(CLI::IsMember({"mean", "median"}));
  verb.add_option("-o,--output", flags.output, "File for the table [standard output]")->type_name("FILE");
  add_study_flags(verb, flags.study, StudyFlagKind::kStage);
}

OpenStudy open_stage(const StageFlags& flags) {
  OpenStudy study = open_study(flags.place);
  apply_flags(study.settings, flags.study);
  if (flags.runs < 1) throw Error(ErrorCode::kUsage, "--runs: at least one");
  return study;
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

std::vector<std::string> baselines_of(const StageFlags& flags, const StudySettings& settings) {
  std::vector<std::string> baselines = flags.baselines;
  if (baselines.empty()) baselines = {settings.baseline.empty() ? "relu(x)" : settings.baseline};
  for (std::string& baseline : baselines)
    baseline = to_call(evaluated_function(settings, to_call(read_expr(baseline))));
  return baselines;
}

std::vector<std::string> rivals_of(const StageFlags& flags, const StudySettings& settings) {
  if (!flags.baselines.empty()) return baselines_of(flags, settings);
  std::vector<std::string> rivals;
  const auto add = [&](std::string_view function) {
    std::string text = to_call(evaluated_function(settings, std::string(function)));
    if (std::ranges::find(rivals, text) == rivals.end()) rivals.push_back(std::move(text));
  };
  if (!settings.baseline.empty()) add(settings.baseline);
  for (const KnownFunction& known : common_functions()) add(known.expression);
  return rivals;
}

namespace {

StagePlan stage_run(const OpenStudy& study, const StageFlags& flags, const StageQuestion& question) {
  StagePlan run = {.stage = question.stage,
                   .functions = expressions_of(question.functions),
                   .repeats = static_cast<std::int64_t>(flags.runs),
                   .command = evaluate_command(flags.place, study.settings, question.stage.name),
                   .workers = study.settings.workers,
                   .attempts = static_cast<int>(study.settings.attempts)};
  run.command.insert(run.command.end(), question.arguments.begin(), question.arguments.end());
  return run;
}

// The function that the others are compared with; empty: the best baseline.
std::string against(const StageFlags& flags, const std::vector<ComparedFunction>& functions) {
  if (flags.against.empty()) return {};
  std::string wanted = to_call(read_expr(flags.against));
  if (std::ranges::find(functions, wanted, &ComparedFunction::expression) == functions.end()) {
    throw Error(ErrorCode::kUsage, "--against: '" + wanted + "' is not among the functions that were run");
  }
  return wanted;
}

// Shows how far it is; an interruption says how to go on.
void with_display(StagePlan& run, const std::function<void(const RunContext& context)>& work) {
  const Interrupt interrupt;
  StageDisplay display(run.stage);
  RunContext context = interrupt.context();
  context.progress = [&](std::string_view, std::size_t done, std::size_t all) { display.show(done, all); };
  run.done = [&](const StageJob& job, const TrialOutcome& outcome) { display.tell(job, outcome); };
  try {
    work(context);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kCancelled) throw;
    throw Error(ErrorCode::kCancelled, "stopped; the same command continues");
  }
}

void find_rates(const OpenStudy& study, const StageFlags& flags, StageQuestion& question) {
  StagePlan run = stage_run(study, flags, question);
  run.stage = rates_stage(study.settings);
  run.command = evaluate_command(flags.place, study.settings, run.stage.name);
  with_display(run, [&](const RunContext& context) {
    constexpr int kWidenings = 3;
    for (int i = 0; i <= kWidenings; ++i) {
      sweep_rates(*study.store, study.settings, *question.sweep, run, question.functions, context);
      if (!flags.rates.empty() || i == kWidenings || !widen(*question.sweep, question.functions)) break;
    }
  });
  const std::vector<std::string> edge = at_the_edge(*question.sweep, question.functions);
  if (edge.empty()) return;
  question.notes.push_back("The best learning rate of " + std::to_string(edge.size()) + " of " +
                           std::to_string(question.functions.size()) +
                           " functions is the smallest or the largest that was tried; --rates tries others.");
}

std::vector<Comparison> compare_all(const OpenStudy& study, const StageFlags& flags, const StageQuestion& question) {
  StagePlan run = stage_run(study, flags, question);
  with_display(run, [&](const RunContext& context) { run_at_rates(*study.store, run, question.functions, context); });
  ComparisonQuestion asked = {
      .functions = question.functions, .against = against(flags, question.functions), .repeats = run.repeats};
  asked.against_best = asked.against.empty();
  std::vector<Comparison> comparisons;
  const std::vector<Objective> objectives = study_objectives(question.stage.settings);
  for (asked.objective = 0; asked.objective < objectives.size(); ++asked.objective) {
    if (objectives[asked.objective].measure == "cost") continue;
    comparisons.push_back(compare(*study.store, question.stage, asked));
  }
  return comparisons;
}

// At another scale, with the same learning rates.
std::vector<Comparison> confirm(const OpenStudy& study, const StageFlags& flags, const StageQuestion& question,
                                std::size_t& looks) {
  StageQuestion again = question;
  again.stage = *question.confirm;
  again.arguments = question.confirm_arguments;
  looks = note_look_at_rates(*study.store, stage_run(study, flags, again), again.functions);
  return compare_all(study, flags, again);
}

}  // namespace

int answer_stage(const OpenStudy& study, const StageFlags& flags, const StageQuestion& asked) {
  StageQuestion question = asked;
  against(flags, question.functions);  // for its error, before anything is evaluated: test images are not used in vain
  if (question.sweep) find_rates(study, flags, question);
  ComparisonText text = {.format = flags.format, .median = flags.statistic == "median"};
  text.looks =
      question.stage.test ? note_look_at_rates(*study.store, stage_run(study, flags, question), question.functions) : 0;
  text.comparisons = compare_all(study, flags, question);
  if (question.confirm) {
    const std::vector<Comparison> again = confirm(study, flags, question, text.looks);
    text.confirmation = confirmation_text(text.comparisons.at(0), again.at(0));
    text.comparisons.insert(text.comparisons.end(), again.begin(), again.end());
  }
  text.notes = question.notes;
  const std::string result = comparison_text(text);
  flags.output.empty() ? write_output(result) : write_file(flags.output, result);
  return 0;
}

}  // namespace actforge::tool
