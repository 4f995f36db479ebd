// One evaluation apart from the search, in a process of its own; started by run, rerank, final and transfer.
#include <chrono>
#include <memory>

#include "tools/actforge/common/interrupt.h"
#include "tools/actforge/search/stage.h"

namespace actforge::tool {
namespace {

struct Options {
  std::string location, stage;
  StageJob job;
  std::uint64_t repeat = 0;
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

int run(const Options& options) {
  const Stage stage = stage_of(options);
  const std::unique_ptr<Evaluator> evaluator = study_evaluator(stage.settings);
  const Interrupt interrupt;
  StageJob job = options.job;
  job.repeat = static_cast<std::int64_t>(options.repeat);
  const auto begin = std::chrono::steady_clock::now();
  TrialOutcome outcome = evaluate_job(stage, job, *evaluator, interrupt.context());
  if (interrupt.requested()) return interrupt.exit_code();
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  write_output(outcome_json(outcome) + "\n");
  return 0;
}

}  // namespace

VerbAction add_search_evaluate(CLI::App& verb) {
  const auto options = std::make_shared<Options>();
  verb.add_option("STUDY", options->location, "The study")->required();
  verb.add_option("--stage", options->stage, "The stage")->required()->check(CLI::IsMember(stage_names()));
  verb.add_option("--function", options->job.expression, "The function")->required();
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
