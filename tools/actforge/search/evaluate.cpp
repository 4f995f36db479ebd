// One evaluation apart from the search, in a process of its own; started by run, rerank, final and transfer.
#include <chrono>
#include <memory>

#include "tools/actforge/common/interrupt.h"
#include "tools/actforge/search/stage.h"

namespace actforge::tool {
namespace {

struct Options {
  std::string place, stage;
  StageJob job;
  std::uint64_t repeat = 0;
  TransferTask task;
  StudyFlags flags;
};

Stage stage_of(const Options& options) {
  StudySettings settings = open_study(options.place).settings;
  apply_flags(settings, options.flags);
  if (options.stage == "baseline") return baseline_stage(settings);
  if (options.stage == "rerank") return rerank_stage(settings);
  if (options.stage == "final") return final_stage(settings);
  return transfer_stage(settings, options.task);
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
  verb.add_option("STUDY", options->place, "The study")->required();
  verb.add_option("--stage", options->stage, "The stage: baseline, rerank, final or transfer")
      ->required()
      ->check(CLI::IsMember({"baseline", "rerank", "final", "transfer"}));
  verb.add_option("--function", options->job.expression, "The function")->required();
  add_whole_number(verb, "--repeat", options->repeat, "The repeat");
  add_transfer_task(verb, options->task);
  add_study_flags(verb, options->flags, StudyFlagKind::kMayChange);
  return VerbAction([options] { return run(*options); },
                    [options] { return evaluator_needs_libtorch(stage_of(*options).settings); });
}

}  // namespace actforge::tool
