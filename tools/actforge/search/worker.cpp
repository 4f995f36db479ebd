#include <memory>

#include "actforge/base/version.h"
#include "actforge/study/worker.h"
#include "tools/actforge/common/interrupt.h"
#include "tools/actforge/search/options.h"

namespace actforge::tool {
namespace {

struct Options {
  std::string location;
  StudyFlags flags;
};

StudySettings settings_of(const Options& options) {
  StudySettings settings = open_study(options.location).settings;
  apply_flags(settings, options.flags);
  return settings;
}

bool needs_libtorch(const Options& options) { return evaluator_needs_libtorch(settings_of(options)); }

int run(const Options& options) {
  WorkerOptions worker = {.location = options.location, .settings = settings_of(options)};
  const std::unique_ptr<Evaluator> evaluator = study_evaluator(worker.settings);
  const Interrupt interrupt;
  const std::unique_ptr<FeatureProbe> probe = study_probe(worker.settings, interrupt.context());
  worker.probe = probe.get();
  worker.name = {.name = worker_name(), .version = software_version(), .lease = worker.settings.lease};
  return run_worker(worker, *evaluator, interrupt.context()) == WorkerEnd::kDone ? 0 : interrupt.exit_code();
}

}  // namespace

VerbAction add_search_worker(CLI::App& verb) {
  const auto options = std::make_shared<Options>();
  verb.add_option("STUDY", options->location, "The study")->required();
  add_study_flags(verb, options->flags, StudyFlagKind::kMayChange);
  return VerbAction([options] { return run(*options); }, [options] { return needs_libtorch(*options); });
}

}  // namespace actforge::tool
