#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "actforge/expr/print.h"
#include "actforge/fisher_answer.h"
#include "actforge/function_list.h"
#include "actforge/interrupt.h"
#include "actforge/progress.h"
#include "actforge/report/png.h"
#include "actforge/search/fisher_features.h"
#include "actforge/search/study.h"
#include "actforge/spectrum_options.h"
#include "actforge/train/training_data.h"

namespace actforge::tool {
namespace {

struct Options : SpectrumOptions {
  Options() : SpectrumOptions{.net = "allcnn-mini", .data = "digits"} {}
  std::vector<std::string> activations;
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
  const Network network = network_for(options.net, dataset);
  std::vector<Expr> functions = read_functions(options.activations);
  const FisherProbe probe(fisher_run(options, dataset));
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
  add_spectrum_options(verb, options);
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
