#include <memory>

#include "actforge/interrupt.h"
#include "actforge/search/worker.h"
#include "actforge/search_options.h"

namespace actforge::tool {
namespace {

struct Options {
  std::string place;
  StudyFlags flags;
};

int run(const Options& options) {
  WorkerOptions worker = {.place = options.place, .settings = open_study(options.place).settings};
  apply_flags(worker.settings, options.flags);
  const std::unique_ptr<Evaluator> evaluator = study_evaluator(worker.settings);
  const std::unique_ptr<FeatureMeter> meter = study_meter(worker.settings);
  worker.meter = meter.get();
  worker.name = {.name = worker_name(), .version = software_version(), .lease = worker.settings.lease};
  const Interrupt interrupt;
  worker.stop = [&] { return interrupt.requested(); };
  return run_worker(worker, *evaluator) == WorkerEnd::kDone ? 0 : interrupt.exit_code();
}

}  // namespace

Run add_search_worker(CLI::App& verb) {
  const auto options = std::make_shared<Options>();
  verb.add_option("STUDY", options->place, "The study")->required();
  add_study_flags(verb, options->flags, StudyFlagKind::kMayChange);
  return [options] { return run(*options); };
}

}  // namespace actforge::tool
