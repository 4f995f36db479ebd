#include "actforge/study/run_study.h"

#include "actforge/expr/language/print.h"
#include "actforge/study/study.h"

namespace actforge {
namespace {

StagePlan baseline_run(const RunStudyOptions& run) {
  // Results of training or of the user's program differ from repeat to repeat; those of other evaluators do not.
  const bool varies = find_evaluator(run.settings.evaluator).nature(run.settings.evaluate).varies;
  return {.stage = baseline_stage(run.settings),
          .functions = {to_call(evaluated_function(run.settings, run.settings.baseline))},
          .repeats = varies ? 3 : 1,
          .command = run.evaluate,
          .workers = run.settings.workers,
          .attempts = 1,
          .done = run.baseline_done};
}

// If it cannot be measured the search still starts: what is wrong with the evaluator will show there.
void measure_baseline(Store& store, const RunStudyOptions& run, const RunContext& context) {
  try {
    run_stage(store, baseline_run(run), context);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kCancelled) throw;
    if (run.baseline_failed) run.baseline_failed(error);
  }
}

}  // namespace

void run_study(Store& store, const RunStudyOptions& run, const RunContext& context) {
  if (!run.settings.baseline.empty()) measure_baseline(store, run, context);
  Supervisor(store, run.settings, run.worker).run(context, run.watch);
}

}  // namespace actforge
