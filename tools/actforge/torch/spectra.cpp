// Spectra for a map, by LibTorch.
#include "actforge/recipe/training_data.h"
#include "actforge/torch/fisher/spectrum_probes.h"
#include "tools/actforge/torch/verbs.h"

namespace actforge::tool {
namespace {

bool is_task_of(const OpenStudy* study, const EmbedOptions& options) {
  if (study == nullptr || !find_evaluator(study->settings.evaluator).trains) return false;
  const StudyTask first = study_tasks(study->settings).front();
  return first.net == options.net && first.data == options.data;
}

}  // namespace

std::unique_ptr<SpectrumProbe> make_spectrum_probe(const EmbedOptions& options, const OpenStudy* study,
                                                   const RunContext& run) {
  if (options.measure || is_task_of(study, options)) return make_study_spectrum_probe(*study, options.fisher, run);
  const Dataset& dataset = find_dataset(options.data);
  SpectrumTask task = spectrum_task(options, dataset);
  task.run = run;
  return make_network_spectrum_probe(network_for(options.net, dataset), task);
}

}  // namespace actforge::tool
