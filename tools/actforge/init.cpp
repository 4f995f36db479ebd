#include <fmt/format.h>

#include <chrono>
#include <memory>

#include "actforge/base/atomic_file.h"
#include "actforge/init/map_rules.h"
#include "actforge/init_answer.h"
#include "actforge/init_measure.h"
#include "actforge/init_source.h"
#include "actforge/report/png.h"
#include "actforge/table.h"

namespace actforge::tool {
namespace {

struct Options {
  NetOptions net;
  std::string output, method = "autoinit", distribution, rules, report, plot, compare = "glorot-uniform";
  double signal_variance = 1;
  SignalMoments input;
  std::uint64_t seed = 0, draws = SignalCheckOptions().draws, samples = SignalCheckOptions().samples, threads = 0;
  bool strict = false, check = false, json = false, list = false;
};

int list_methods(bool json) {
  if (!json) {
    print_summaries("method", initialisers());
    fmt::print("\n");
    print_summaries("distribution", weight_distributions());
    return 0;
  }
  print_json({{"methods", summaries_json(initialisers())}, {"distributions", summaries_json(weight_distributions())}});
  return 0;
}

PlanOptions plan_options(const Options& options, const InitSource& source, const std::string& method) {
  PlanOptions plan = {.initialiser = &find_initialiser(method)};
  if (!options.distribution.empty()) plan.distribution = &find_weight_distribution(options.distribution);
  plan.analysis = {.signal_variance = options.signal_variance,
                   .input = options.input,
                   .maps = options.rules.empty() ? decltype(plan.analysis.maps)() : read_map_rules(options.rules),
                   .file = source.file_values(),
                   .strict = options.strict};
  return plan;
}

// One method, analysed, and measured if that is asked for.
struct Begun {
  WeightPlan plan;
  SignalRow row;
  double seconds = 0;
};

SignalCheckOptions check_options(const Options& options, const std::string& method) {
  return {.seed = options.seed,
          .draws = options.draws,
          .samples = options.samples,
          .threads = options.threads,
          .scale_by_samples = find_initialiser(method).rule == InitRule::kMeasured};
}

Begun begin(const Options& options, const InitSource& source, const std::string& method) {
  const PlanOptions plan = plan_options(options, source, method);
  const auto start = std::chrono::steady_clock::now();
  Begun begun = {.plan = plan_weights(source.network(), plan),
                 .row = {.method = method, .analysis = {}, .measured = {}}};
  begun.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  begun.row.analysis = begun.plan.analysis;
  if (options.check) {
    Network network = source.network();
    shift_activations(network, begun.plan.shifts);
    begun.row.measured =
        measure(network, begun.plan, options.input, source.file_values(), check_options(options, method));
  }
  return begun;
}

void write_weights(const Options& options, const InitSource& source, const WeightPlan& plan) {
  if (find_initialiser(options.method).rule != InitRule::kMeasured) {
    return source.write(options.output, plan, options.seed, [&](LayerId layer, std::size_t weight) {
      return draw_weight(plan, source.network(), layer, weight, options.seed);
    });
  }
  if (source.is_keras()) {
    throw Error(ErrorCode::kUsage, "Keras JSON holds rules for weights, not weights; lsuv has no rule");
  }
  const auto weights = measured_weights(source.network(), plan, options.input, source.file_values(),
                                        check_options(options, options.method));
  source.write(options.output, plan, options.seed,
               [&](LayerId layer, std::size_t weight) { return weights[layer][weight]; });
}

int run(const Options& options) {
  if (options.list) return list_methods(options.json);
  if (options.net.net.empty()) throw Error(ErrorCode::kUsage, "give a network or a file; --help shows examples");
  if (options.draws == 0 || options.samples == 0) {
    throw Error(ErrorCode::kUsage, "--draws and --samples take at least 1");
  }
  find_initialiser(options.compare);  // for its error, also where nothing is drawn
  const InitSource source(options.net);
  const Begun chosen = begin(options, source, options.method);
  if (options.strict) source.check_replaceable(chosen.plan);
  InitAnswer answer = {.network = &source.network(),
                       .chosen = chosen.row,
                       .other = {},
                       .notes = source.notes(),
                       .seconds = chosen.seconds};
  if ((!options.plot.empty() || !options.report.empty()) && options.compare != options.method) {
    answer.other = begin(options, source, options.compare).row;
  }
  if (!options.plot.empty()) save_plot(signal_plot(answer), options.plot);
  if (!options.report.empty()) write_file(options.report, signal_report(answer));
  if (!options.output.empty()) write_weights(options, source, chosen.plan);
  for (const std::string& note : answer.notes) fmt::print(stderr, "actforge: note: {}\n", note);
  for (const std::string& warning : answer.chosen.analysis.warnings)
    fmt::print(stderr, "actforge: warning: {}\n", warning);
  options.json ? print_json(answer_json(answer)) : print_answer(answer);
  if (!options.output.empty()) fmt::print(stderr, "wrote {} ({})\n", options.output, source.output_form());
  for (const std::string& file : {options.plot, options.report}) {
    if (!file.empty()) fmt::print(stderr, "wrote {}\n", file);
  }
  return 0;
}

}  // namespace

void add_init(CLI::App& app, Run& chosen) {
  CLI::App* verb = app.add_subcommand("init", "Initial weights that keep the signal, for any network");
  verb->footer(
      "Examples:\n"
      "  actforge init allcnn-c --check\n"
      "  actforge init model.onnx -o ready.onnx --report init.html\n"
      "  actforge init model.json -o ready.json                    (a Keras model's to_json())\n"
      "  actforge init resnet-v2-56-nobn --method autoinit++ --plot signal.svg\n"
      "In --rules, a table for each type of layer that actforge does not know: [MyScale], mean = \"2*m\", variance = "
      "\"4*v\".");
  const auto options = std::make_shared<Options>();
  add_net_argument(*verb, options->net);
  verb->get_option("NET")->required(false);
  verb->add_option("-o,--output", options->output,
                   "Where to write: an ONNX or Keras file with the new weights, or the weights alone (safetensors)")
      ->type_name("FILE");
  verb->add_option("--method", options->method, "How the weights are scaled (--list)")->capture_default_str();
  verb->add_option("--distribution", options->distribution, "How they are drawn (--list) [the method's own]");
  verb->add_option("--signal-variance", options->signal_variance, "What AutoInit and LSUV make of every layer's output")
      ->capture_default_str();
  verb->add_option("--input-mean", options->input.mean, "Of the data")->capture_default_str();
  verb->add_option("--input-variance", options->input.variance, "Of the data")->capture_default_str();
  add_whole_number(*verb, "--seed", options->seed, "Of the weights, and of --check");
  verb->add_option("--rules", options->rules, "Mean and variance of layers of your own (TOML)")->type_name("FILE");
  verb->add_flag("--strict", options->strict,
                 "A layer that would be passed through, or has weights that a file cannot take, is an error");
  verb->add_flag("--check", options->check, "Push random input through the network, and show what was measured");
  add_whole_number(*verb, "--draws", options->draws, "Of all weights, for --check");
  add_whole_number(*verb, "--samples", options->samples, "In a draw, for --check");
  add_whole_number(*verb, "--threads", options->threads, "For --check; 0: one per processor");
  verb->add_option("--plot", options->plot, "The signal's variance along the network: .svg or .png")->type_name("FILE");
  verb->add_option("--report", options->report, "The same with a table, as a page")->type_name("FILE.html");
  verb->add_option("--compare", options->compare, "The method beside it in plots")->capture_default_str();
  verb->add_flag("--list", options->list, "List methods and distributions, and stop");
  verb->add_flag("--json", options->json, "Answer in JSON");
  verb->callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

}  // namespace actforge::tool
