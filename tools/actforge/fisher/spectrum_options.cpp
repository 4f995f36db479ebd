#include "tools/actforge/fisher/spectrum_options.h"

#include "actforge/recipe/train_options.h"

namespace actforge::tool {

SpectrumTask spectrum_task(const SpectrumOptions& options, const Dataset& dataset) {
  SpectrumTask task = {.dataset = &dataset, .options = options.fisher};
  task.normalise = options.normalise.value_or(find_recipe(recipe_of(options.net)).options().normalise);
  task.subset = options.subset;
  task.validation = options.validation;
  task.run.seed = options.seed;
  task.run.threads = options.threads;
  return task;
}

void add_spectrum_options(CLI::App& verb, SpectrumOptions& options) {
  add_fields(verb, options.fisher, fisher_fields());
  verb.add_option("--normalise", options.normalise, "none, center or standard; by default as the network is trained");
  add_optional_number(verb, "--subset", options.subset, "Take the images from this many, equally many of each class")
      ->common();
  add_optional_number(verb, "--validation", options.validation,
                      "Hold this many images out; by default the data set's own number");
}

}  // namespace actforge::tool
