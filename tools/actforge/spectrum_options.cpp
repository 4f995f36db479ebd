#include "actforge/spectrum_options.h"

#include "actforge/train/train_options.h"

namespace actforge::tool {

FisherRun fisher_run(const SpectrumOptions& options, const Dataset& dataset) {
  FisherRun run = {.dataset = &dataset, .options = options.fisher};
  run.normalise = options.normalise.value_or(find_recipe(recipe_of(options.net)).options().normalise);
  run.subset = options.subset;
  run.validation = options.validation;
  run.seed = options.seed;
  run.threads = options.threads;
  return run;
}

void add_spectrum_options(CLI::App& verb, SpectrumOptions& options) {
  add_fields(verb, options.fisher, fisher_fields());
  verb.add_option("--normalise", options.normalise, "none, center or standard; by default as the network is trained");
  add_optional_number(verb, "--subset", options.subset, "Take the images from this many, equally many of each class");
  add_optional_number(verb, "--validation", options.validation,
                      "Hold this many images out; by default the data set's own number");
}

}  // namespace actforge::tool
