#include "tools/actforge/search/stage.h"

#include <fmt/format.h>
#include <unistd.h>

#include <optional>

#include "actforge/base/atomic_file.h"
#include "actforge/expr/language/print.h"
#include "actforge/study/comparison_export.h"
#include "actforge/study/comparison_table.h"
#include "tools/actforge/common/interrupt.h"
#include "tools/actforge/common/messages.h"
#include "tools/actforge/common/table.h"

namespace actforge::tool {
namespace {

std::string outcome_text(const Stage& stage, const TrialOutcome& outcome) {
  if (outcome.scores.empty())
    return std::string(status_text(outcome.status)) + " (" + reason_line(outcome.reason) + ")";
  return score_text(study_objectives(stage.settings)[0], outcome.scores[0]);
}

std::vector<std::string> read_all(const std::vector<std::string>& given) {
  std::vector<std::string> texts;
  texts.reserve(given.size());
  for (const std::string& text : given) texts.push_back(to_call(read_expr(text)));
  return texts;
}

}  // namespace

StageDisplay::StageDisplay(const Stage& stage) : stage_(stage), progress_(stage.name), is_terminal_(draws_progress()) {}

void StageDisplay::tell(const StageJob& job, const TrialOutcome& outcome) {
  last_ = fmt::format("{} {}", outcome_text(stage_, outcome), job.expression);
  const std::string line = fmt::format("{} run {}: {}", stage_.name, job.repeat + 1, last_);
  is_terminal_ ? log_line(line) : note_line(line);
}

void add_stage_flags(CLI::App& verb, StageFlags& flags, const std::string& baselines) {
  verb.add_option("STUDY", flags.location, "The study's file, such as study.db")->required();
  add_whole_number(verb, "--runs", flags.runs, "Repeats: independent trainings of each function")->common();
  add_whole_number(verb, "--top", flags.top, "How many of the study's functions")->common();
  verb.add_option("--function", flags.functions, "Another function to evaluate; repeatable")
      ->type_name("EXPR")
      ->allow_extra_args(false)
      ->common();
  verb.add_option("--baseline", flags.baselines, "A function to compare with; repeatable [" + baselines + "]")
      ->type_name("EXPR")
      ->allow_extra_args(false)
      ->common();
  verb.add_option("--against", flags.against, "The function that the tests compare with [the best baseline]")
      ->type_name("EXPR");
  verb.add_option("--format", flags.format, "text, csv, json or latex")
      ->capture_default_str()
      ->check(CLI::IsMember({"text", "csv", "json", "latex"}))
      ->common();
  verb.add_flag_callback(
      "--json", [&flags] { flags.format = "json"; }, "The same as --format json");
  verb.add_option("--statistic", flags.statistic, "Shown for each function: mean (with its deviation), or median")
      ->capture_default_str()
      ->check(CLI::IsMember({"mean", "median"}));
  verb.add_option("-o,--output", flags.output, "File for the table [standard output]")->type_name("FILE")->common();
  add_study_flags(verb, flags.study, StudyFlagKind::kStage);
}

OpenStudy open_stage(const StageFlags& flags) {
  OpenStudy study = open_study(flags.location);
  apply_flags(study.settings, flags.study);
  if (flags.runs < 1) throw Error(ErrorCode::kUsage, "--runs: at least one");
  return study;
}

AfterSearch wanted_after(const StageFlags& flags) {
  AfterSearch wanted = {.count = flags.top,
                        .functions = read_all(flags.functions),
                        .baselines = read_all(flags.baselines),
                        .repeats = static_cast<std::int64_t>(flags.runs)};
  if (!flags.against.empty()) wanted.against = to_call(read_expr(flags.against));
  return wanted;
}

namespace {

// A stage after the other has a display of its own.
class Displays {
 public:
  explicit Displays(RunContext& context) {
    context.progress = [this](std::string_view, std::size_t done, std::size_t all) { now_->show(done, all); };
  }
  StageWatch watch() {
    return {.begins = [this](const Stage& stage) { now_.emplace(stage); },
            .done = [this](const StageJob& job, const TrialOutcome& outcome) { now_->tell(job, outcome); }};
  }

 private:
  std::optional<StageDisplay> now_;
};

// An interruption says how to go on.
StageAnswer answer_on_display(const OpenStudy& study, const StageQuestion& question) {
  const Interrupt interrupt;
  RunContext context = interrupt.context();
  Displays displays(context);
  try {
    return answer_stage(study, question, displays.watch(), context);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kFailed) {
      throw Error(error.code(), std::string(error.what()) + "\nWhat was evaluated is kept; the same command goes on.");
    }
    if (error.code() != ErrorCode::kCancelled) throw;
    throw Error(ErrorCode::kCancelled, "stopped; the same command continues");
  }
}

std::string as_text(const StageAnswer& answer, bool median) {
  std::string result;
  for (const Comparison& comparison : answer.comparisons) {
    ComparisonTable table = comparison_table(comparison, median);
    const std::string verdict = comparison_verdict(comparison);
    result += (result.empty() ? "" : "\n") + table.title + "\n" + (verdict.empty() ? "" : verdict + "\n") + "\n" +
              table_text(std::move(table.columns), std::move(table.rows)) + "\n" + table.caption + "\n";
  }
  if (!answer.confirmation.empty()) result += answer.confirmation + "\n";
  if (answer.looks > 1) {
    result +=
        fmt::format("The test images have been used {} times in this study; p-values assume that they are used once.\n",
                    answer.looks);
  }
  for (const std::string& note : answer.notes) result += note + "\n";
  return result;
}

std::string answer_text(const StageAnswer& answer, const StageFlags& flags) {
  const bool median = flags.statistic == "median";
  if (flags.format == "json") return comparison_json(answer);
  if (flags.format == "csv") return comparison_csv(answer);
  if (flags.format == "latex") return comparison_latex(answer, median);
  return as_text(answer, median);
}

std::vector<std::string> task_arguments(const TransferTask& task) {
  std::vector<std::string> arguments;
  const auto pass = [&](const char* flag, const std::string& value) {
    if (!value.empty()) arguments.insert(arguments.end(), {flag, value});
  };
  pass("--net", task.net);
  pass("--data", task.data);
  pass("--recipe", task.recipe);
  if (task.test) arguments.emplace_back("--test");
  return arguments;
}

}  // namespace

int print_stage(const OpenStudy& study, const StageFlags& flags, StageQuestion question, const TransferTask& task) {
  const std::string last = question.confirm ? question.confirm->name : question.stage.name;
  question.command = [&](const Stage& stage) {
    std::vector<std::string> command = evaluate_command(flags.location, study.settings, stage.name);
    if (stage.name != last) return command;
    const std::vector<std::string> more = task_arguments(task);
    command.insert(command.end(), more.begin(), more.end());
    return command;
  };
  const std::string result = answer_text(answer_on_display(study, question), flags);
  flags.output.empty() ? write_output(result) : write_file(flags.output, result);
  return 0;
}

}  // namespace actforge::tool
