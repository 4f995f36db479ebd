#include "actforge/study/stage_run.h"

#include "actforge/base/version.h"
#include "actforge/search/settings/study_inputs.h"
#include "actforge/study/stage_runner.h"

namespace actforge {
namespace {

void keep(Store& store, const Stage& stage, const StageJob& job, const TrialOutcome& outcome) {
  store.add_run({.group = stage_group(stage),
                 .expression = job.expression,
                 .key = job.key,
                 .repeat = job.repeat,
                 .seed = stage_seed(stage, job.repeat),
                 .outcome = outcome,
                 .version = software_version()});
}

}  // namespace

void run_stage(Store& store, const StagePlan& run, const RunContext& context) {
  const std::vector<StageJob> jobs = missing_jobs(store, run.stage, run.functions, run.repeats);
  if (jobs.empty()) return;
  // Results on other data than those of the study are not comparable with it.
  check_inputs(store, run.stage.settings);
  note_inputs(store, run.stage.settings);
  StageOptions options = {
      .command = run.command, .workers = run.workers, .gpus = run.stage.settings.gpus, .attempts = run.attempts};
  options.stays = find_evaluator(run.stage.settings.evaluator).nature(run.stage.settings.evaluate).stays;
  options.step = run.stage.name;
  options.done = [&](const StageJob& job, const TrialOutcome& outcome) {
    keep(store, run.stage, job, outcome);
    if (run.done) run.done(job, outcome);
  };
  run_jobs(jobs, options, context);
}

std::string look_text(const StagePlan& run) {
  std::string list;
  for (const std::string& function : run.functions) list += (list.empty() ? "" : "; ") + function;
  return run.stage.name + ": " + stage_text(run.stage) + "; " + std::to_string(run.repeats) + " runs each of: " + list;
}

bool is_complete(Store& store, const StagePlan& run) {
  return missing_jobs(store, run.stage, run.functions, run.repeats).empty();
}

std::size_t note_test_look(Store& store, const StagePlan& run) {
  return note_test_look(store, look_text(run), is_complete(store, run));
}

std::size_t note_test_look(Store& store, const std::string& text, bool is_complete) {
  constexpr const char* kKind = "test images used";
  std::size_t looks = 0;
  bool is_known = is_complete;
  for (const StudyEvent& event : store.events()) {
    if (event.kind != kKind) continue;
    ++looks;
    is_known |= event.text == text;
  }
  if (is_known) return looks;
  store.add_event(kKind, text);
  return looks + 1;
}

}  // namespace actforge
