// One evaluation apart from the search, or one after the other that it is asked for, in a process of its own; started
// by run, rerank, final and transfer.
#include <chrono>
#include <iostream>
#include <memory>

#include "tools/actforge/common/interrupt.h"
#include "tools/actforge/search/stage.h"

namespace actforge::tool {
namespace {

struct Options {
  std::string location, stage;
  StageJob job;
  std::uint64_t repeat = 0;
  bool asked = false;
  TransferTask task;
  std::optional<double> rate;
  std::vector<std::string> values;
  StudyFlags flags;
};

Stage plain_stage(const Options& options) {
  StudySettings settings = open_study(options.location).settings;
  apply_flags(settings, options.flags);
  return find_stage(options.stage).make(settings, options.task);
}

Hyperparameters read_values(const std::vector<std::string>& texts) {
  Hyperparameters values;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) throw Error(ErrorCode::kUsage, "--value: write name=value, not '" + text + "'");
    values[text.substr(0, equals)] = text.substr(equals + 1);
  }
  return values;
}

Stage stage_of(const Options& options) {
  return at_rate(at_hyperparameters(plain_stage(options), read_values(options.values)), options.rate);
}

std::vector<std::string> stage_names() {
  std::vector<std::string> names;
  for (const StageRow& row : stages()) names.emplace_back(row.name);
  return names;
}

TrialOutcome timed_job(const Stage& stage, const StageJob& job, Evaluator& evaluator, const Interrupt& interrupt) {
  const auto begin = std::chrono::steady_clock::now();
  TrialOutcome outcome = evaluate_job(stage, job, evaluator, interrupt.context());
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return outcome;
}

std::string answer(const Stage& stage, const StageJob& job, Evaluator& evaluator, const Interrupt& interrupt) {
  try {
    return outcome_json(timed_job(stage, job, evaluator, interrupt));
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kCancelled) throw;
    return failure_json(error);
  }
}

void answer_lines(const Stage& stage, Evaluator& evaluator, const Interrupt& interrupt) {
  std::int64_t number = 0;
  for (std::string line; !interrupt.requested() && std::getline(std::cin, line);) {
    StageJob job = read_job_json(line);
    job.number = number++;
    write_output(answer(stage, job, evaluator, interrupt) + "\n");
    flush_output();
  }
}

int run(const Options& options) {
  const Stage stage = stage_of(options);
  const std::unique_ptr<Evaluator> evaluator = study_evaluator(stage.settings);
  const Interrupt interrupt;
  if (options.asked) {
    answer_lines(stage, *evaluator, interrupt);
    return interrupt.requested() ? interrupt.exit_code() : 0;
  }
  StageJob job = options.job;
  job.repeat = static_cast<std::int64_t>(options.repeat);
  const TrialOutcome outcome = timed_job(stage, job, *evaluator, interrupt);
  if (interrupt.requested()) return interrupt.exit_code();
  write_output(outcome_json(outcome) + "\n");
  return 0;
}

}  // namespace

VerbAction add_search_evaluate(CLI::App& verb) {
  const auto options = std::make_shared<Options>();
  verb.add_option("STUDY", options->location, "The study")->required();
  verb.add_option("--stage", options->stage, "The stage")->required()->check(CLI::IsMember(stage_names()));
  verb.add_option("--function", options->job.expression, "The function");
  verb.add_flag("--asked", options->asked, "In place of a function: evaluations by lines of standard input");
  add_whole_number(verb, "--repeat", options->repeat, "The repeat");
  verb.add_option("--rate", options->rate, "The learning rate [the stage's]");
  verb.add_option("--value", options->values, "A hyperparameter, name=value; repeatable [the middle of each]")
      ->allow_extra_args(false);
  add_transfer_task(verb, options->task);
  add_study_flags(verb, options->flags, StudyFlagKind::kMayChange);
  return VerbAction([options] { return run(*options); },
                    [options] { return evaluator_needs_libtorch(stage_of(*options).settings); });
}

}  // namespace actforge::tool
