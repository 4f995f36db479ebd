#include <fmt/format.h>

#include <chrono>
#include <memory>

#include "actforge/base/atomic_file.h"
#include "actforge/import/init_source.h"
#include "actforge/init/maps/map_rules.h"
#include "actforge/report/svg/png.h"
#include "tools/actforge/common/interrupt.h"
#include "tools/actforge/common/libtorch.h"
#include "tools/actforge/common/messages.h"
#include "tools/actforge/common/table.h"
#include "tools/actforge/init/answer.h"
#include "tools/actforge/net/options.h"

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

InitSource read_source(const NetOptions& options) {
  std::optional<InitSource> file = InitSource::read(options.net);
  if (!file) return InitSource(read_network(options));
  if (options.classes || options.input) {
    throw Error(ErrorCode::kUsage, "--classes and --input are for networks by name; a file has its own");
  }
  set_activations(file->network(), options.activations);
  return std::move(*file);
}

// Throws Error (kUsage) where a file of this name cannot be what the source makes of it.
void check_output(const Options& options, const InitSource& source) {
  const ActivationOptions& activations = options.net.activations;
  const bool is_own_form = source.output_form(options.output) != "safetensors";
  if (is_own_form && (activations.everywhere || !activations.at.empty())) {
    throw Error(ErrorCode::kUsage,
                "-o writes the file's own activation functions; leave --activation out, put the function into the file "
                "first ('actforge fn export'), or write the weights alone (-o weights.safetensors)");
  }
  source.check_output(options.output);
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

SignalCheckOptions check_options(const Options& options, const std::string& method, const Interrupt& interrupt) {
  SignalCheckOptions check = {.draws = options.draws,
                              .samples = options.samples,
                              .scale_by_samples = find_initialiser(method).rule == InitRule::kMeasured,
                              .run = interrupt.context()};
  check.run.seed = options.seed;
  check.run.threads = options.threads;
  return check;
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
    const Interrupt interrupt;
    begun.row.measured = libtorch().measure_signals(network, begun.plan, options.input, source.file_values(),
                                                    check_options(options, method, interrupt));
  }
  return begun;
}

void write_weights(const Options& options, const InitSource& source, const WeightPlan& plan) {
  check_output(options, source);
  if (find_initialiser(options.method).rule != InitRule::kMeasured) {
    return source.write(options.output, plan, options.seed, [&](LayerId layer, std::size_t weight) {
      return draw_weight(plan, source.network(), layer, weight, options.seed);
    });
  }
  if (source.is_keras()) {
    throw Error(ErrorCode::kUsage,
                "Keras files get rules for weights, or weights that are drawn by them; lsuv has no rule");
  }
  const Interrupt interrupt;
  const auto weights = libtorch().weights_by_samples(source.network(), plan, options.input, source.file_values(),
                                                     check_options(options, options.method, interrupt));
  source.write(options.output, plan, options.seed,
               [&](LayerId layer, std::size_t weight) { return weights[layer][weight]; });
}

void check(const Options& options) {
  if (options.net.net.empty()) throw Error(ErrorCode::kUsage, "give a network or a file; --help shows examples");
  if (options.draws == 0 || options.samples == 0) {
    throw Error(ErrorCode::kUsage, "--draws and --samples take at least 1");
  }
  find_initialiser(options.compare);  // for its error, also where nothing is drawn
}

int run(const Options& options) {
  if (options.list) return list_methods(options.json);
  check(options);
  const InitSource source = read_source(options.net);
  const Begun chosen = begin(options, source, options.method);
  if (options.strict) source.check_replaceable(chosen.plan);
  InitAnswer answer = {.network = &source.network(),
                       .chosen = chosen.row,
                       .other = {},
                       .notes = source.notes(),
                       .seconds = chosen.seconds};
  for (const std::string& warning : source.warnings()) answer.chosen.analysis.warnings.push_back(warning);
  if ((!options.plot.empty() || !options.report.empty()) && options.compare != options.method) {
    answer.other = begin(options, source, options.compare).row;
  }
  if (!options.plot.empty()) save_plot(signal_plot(answer), options.plot);
  if (!options.report.empty()) write_file(options.report, signal_report(answer));
  if (!options.output.empty()) write_weights(options, source, chosen.plan);
  for (const std::string& line : answer.notes) note("actforge: note: {}", line);
  for (const std::string& line : answer.chosen.analysis.warnings) warning("actforge: warning: {}", line);
  options.json ? print_json(answer_json(answer)) : print_answer(answer);
  if (!options.output.empty()) note("wrote {} ({})", options.output, source.output_form(options.output));
  for (const std::string& file : {options.plot, options.report}) {
    if (!file.empty()) note("wrote {}", file);
  }
  return 0;
}

// What is wrong with the options shows without it.
bool needs_libtorch(const Options& options) {
  if (options.list) return false;
  check(options);
  return options.check || (!options.output.empty() && find_initialiser(options.method).rule == InitRule::kMeasured);
}

}  // namespace

void add_init(CLI::App& app, VerbAction& chosen) {
  CLI::App* verb = app.add_subcommand("init", "Initial weights that keep the signal, for any network");
  verb->footer(
      "Examples:\n"
      "  actforge init allcnn-c --check\n"
      "  actforge init model.onnx -o ready.onnx --report init.html\n"
      "  actforge init model.onnx -o weights.safetensors           (the weights alone, by their names in the file)\n"
      "  actforge init model.json -o ready.json                    (a Keras model's to_json())\n"
      "  actforge init resnet-v2-56-nobn --method autoinit++ --plot signal.svg\n"
      "In --rules, a table for each type of layer that actforge does not know: [MyScale], mean = \"2*m\", variance = "
      "\"4*v\".");
  const auto options = std::make_shared<Options>();
  add_net_argument(*verb, options->net);
  verb->get_option("NET")->required(false);
  verb->add_option("-o,--output", options->output,
                   "File to write: ONNX or Keras with the new weights, or the weights alone (.safetensors)")
      ->type_name("FILE")
      ->common();
  verb->add_option("--method", options->method, "How the weights are scaled (--list)")->capture_default_str()->common();
  verb->add_option("--distribution", options->distribution, "How the weights are drawn (--list) [the method's own]")
      ->common();
  verb->add_option("--signal-variance", options->signal_variance,
                   "The variance that AutoInit and LSUV give every layer's output")
      ->capture_default_str();
  verb->add_option("--input-mean", options->input.mean, "Mean of the data")->capture_default_str()->common();
  verb->add_option("--input-variance", options->input.variance, "Variance of the data")
      ->capture_default_str()
      ->common();
  add_whole_number(*verb, "--seed", options->seed, "Seed of the weights, and of --check")->common();
  verb->add_option("--rules", options->rules, "What layers of your own do to mean and variance (TOML)")
      ->type_name("FILE");
  verb->add_flag("--strict", options->strict,
                 "Fail if a layer is passed through, or has weights that the file cannot store");
  verb->add_flag("--check", options->check, "Send random input through the network, and show what was measured")
      ->common();
  add_whole_number(*verb, "--draws", options->draws, "For --check: draws of all weights");
  add_whole_number(*verb, "--samples", options->samples, "For --check: samples per draw");
  add_whole_number(*verb, "--threads", options->threads, "For --check; 0: one per processor");
  verb->add_option("--plot", options->plot, "The signal's variance along the network: .svg or .png")
      ->type_name("FILE")
      ->common();
  verb->add_option("--report", options->report, "The same with a table, as an HTML page")
      ->type_name("FILE.html")
      ->common();
  verb->add_option("--compare", options->compare, "The method to compare with in plots")->capture_default_str();
  verb->add_flag("--list", options->list, "List methods and distributions, then exit");
  verb->add_flag("--json", options->json, "Answer in JSON");
  verb->callback([options, &chosen] {
    chosen = VerbAction([options] { return run(*options); }, [options] { return needs_libtorch(*options); });
  });
}

}  // namespace actforge::tool
