#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "actforge/expr/print.h"
#include "actforge/fisher_answer.h"
#include "actforge/function_list.h"
#include "actforge/interrupt.h"
#include "actforge/net/find_network.h"
#include "actforge/progress.h"
#include "actforge/report/png.h"
#include "actforge/search/fisher_features.h"
#include "actforge/search/study.h"
#include "actforge/train/train_options.h"
#include "actforge/verb.h"

namespace actforge::tool {
namespace {

struct Options {
  std::string net = "allcnn-mini", data = "digits";
  std::vector<std::string> activations;
  FisherOptions fisher;
  std::optional<std::string> normalise;
  std::optional<std::uint64_t> subset, validation;
  std::uint64_t seed = 0, threads = 0;
  std::string study, report;
  bool json = false;
};

std::vector<Expr> read_functions(const std::vector<std::string>& texts) {
  std::vector<Expr> functions;
  for (const std::string& text : texts) {
    const std::vector<Expr> some = read_function_list(text);
    functions.insert(functions.end(), some.begin(), some.end());
  }
  return functions;
}

FisherRun make_run(const Options& options, const Dataset& dataset) {
  FisherRun run = {.dataset = &dataset, .options = options.fisher};
  run.normalise = options.normalise.value_or(find_recipe(recipe_of(options.net)).options().normalise);
  run.subset = options.subset;
  run.validation = options.validation;
  run.seed = options.seed;
  run.threads = options.threads;
  return run;
}

int answer(const Options& options, const FisherAnswer& answers) {
  if (!options.report.empty()) save_plot(spectrum_plot(answers), options.report);
  if (!options.json) {
    print_fisher(answers);
    if (!options.report.empty()) fmt::print("\nwritten: {}\n", options.report);
    return 0;
  }
  nlohmann::json json = fisher_json(answers);
  if (!options.report.empty()) json["file"] = options.report;
  print_json(json);
  return 0;
}

int measure(const Options& options) {
  if (!options.report.empty()) check_picture_name(options.report);
  const Dataset& dataset = find_dataset(options.data);
  const ImageShape& image = dataset.shape;
  const Network network =
      find_network(options.net, {.input = {image.channels, image.height, image.width}, .classes = dataset.classes()});
  std::vector<Expr> functions = read_functions(options.activations);
  const FisherProbe probe(make_run(options, dataset));
  FisherAnswer answers = {.title = network.name() + " on " + std::string(dataset.name)};
  if (functions.size() < 2) {
    Network changed = network;
    if (!functions.empty()) changed.set_activation(functions[0]);
    answers.spectra.push_back(probe.measure(changed));
    answers.functions.push_back(functions.empty() ? "as in the network" : to_call(functions[0]));
    return answer(options, answers);
  }
  const Interrupt interrupt;
  {
    Progress bar("spectra");
    std::size_t done = 0;
    answers.spectra = probe.measure_all(network, functions, [&](std::size_t, const FisherSpectrum&) {
      bar.show(++done, functions.size());
      return !interrupt.requested();
    });
  }
  if (interrupt.requested()) return interrupt.exit_code();
  for (const Expr& function : functions) answers.functions.push_back(to_call(function));
  return answer(options, answers);
}

// Features for a study: of the given functions, or of all its trials. What is there already is not measured again.
int measure_for_study(const Options& options) {
  const OpenStudy study = open_study(options.study);
  const FisherFeatures features(study.settings, options.fisher);
  std::vector<Expr> functions = read_functions(options.activations);
  if (functions.empty()) {
    study.store->each([&](const Trial& trial) { functions.push_back(read_expr(trial.plan.expression)); });
  }
  const std::vector<Expr> missing = features.missing(*study.store, functions);
  const Interrupt interrupt;
  std::size_t measured = 0, invalid = 0;
  double seconds = 0;
  {
    Progress bar("spectra");
    features.measure(*study.store, missing, [&](std::size_t done, const StudyFeatures& row) {
      measured = done;
      seconds += row.seconds;
      if (!row.valid) ++invalid;
      bar.show(done, missing.size());
      return !interrupt.requested();
    });
  }
  if (options.json) {
    print_json({{"group", features.group()},
                {"functions", functions.size()},
                {"measured", measured},
                {"invalid", invalid},
                {"left", missing.size() - measured},
                {"seconds", seconds}});
  } else {
    fmt::print("{}\n{} functions: {} measured now ({} without a valid spectrum, {:.1f} s of work), {} were there\n",
               features.group(), functions.size(), measured, invalid, seconds, functions.size() - missing.size());
  }
  if (!interrupt.requested()) return 0;
  fmt::print(stderr, "actforge: stopped; the same command goes on\n");
  return interrupt.exit_code();
}

void add_options(CLI::App& verb, Options& options) {
  CLI::Option* net = verb.add_option("--net", options.net, "A network of the zoo (actforge net list), or a file")
                         ->capture_default_str();
  CLI::Option* data = verb.add_option("--data", options.data, "A data set (actforge data list)")->capture_default_str();
  verb.add_option("--activation", options.activations,
                  "A function for all activations, or several with commas between them; without it, the network's own")
      ->type_name("EXPR[,EXPR...]");
  for (const FisherField& field : fisher_fields()) {
    const std::string name(field.name);
    verb.add_option_function<std::string>(
            "--" + name, [&options, field](const std::string& text) { set_field(options.fisher, field, text); },
            std::string(field.help))
        ->type_name("VALUE")
        ->default_str(field_text(options.fisher, field));
  }
  verb.add_option("--normalise", options.normalise, "none, center or standard; by default as the network is trained");
  add_optional_number(verb, "--subset", options.subset, "Take the images from this many, equally many of each class");
  add_optional_number(verb, "--validation", options.validation,
                      "Hold this many images out; by default the data set's own number");
  add_whole_number(verb, "--seed", options.seed, "Of the split, the weights, the batches, the labels, dropout");
  add_whole_number(verb, "--threads", options.threads, "0: one per processor");
  CLI::Option* report = verb.add_option("--report", options.report, "Draw the distributions (.svg or .png)");
  report->type_name("FILE");
  verb.add_option("--study", options.study,
                  "Measure under the conditions of a study, the given functions or all its trials, and keep it there")
      ->type_name("STUDY")
      ->excludes(net)
      ->excludes(data)
      ->excludes(report);
  verb.add_flag("--json", options.json, "Answer in JSON");
}

}  // namespace

void add_fisher(CLI::App& app, Run& chosen) {
  CLI::App* verb = app.add_subcommand("fisher", "Measure the spectrum of the Fisher information at the beginning");
  verb->footer(
      "Examples:\n"
      "  actforge fisher --net allcnn-mini --data digits --activation 'swish(x)'\n"
      "  actforge fisher --net allcnn-mini --data fashion-mnist --activation 'elu(x), -elu(x), tanh(x)' --draws 4 "
      "--report spectrum.svg\n"
      "  actforge fisher --study study.db");
  const auto options = std::make_shared<Options>();
  add_options(*verb, *options);
  verb->callback([options, &chosen] {
    chosen = [options] { return options->study.empty() ? measure(*options) : measure_for_study(*options); };
  });
}

}  // namespace actforge::tool
