#include <memory>

#include "tools/actforge/common/libtorch.h"
#include "tools/actforge/fisher/command.h"

namespace actforge::tool {
namespace {

void add_options(CLI::App& verb, FisherCommand& options) {
  CLI::Option* net = verb.add_option("--net", options.net, "A network of the zoo (actforge net list), or a file")
                         ->capture_default_str()
                         ->common();
  CLI::Option* data = verb.add_option("--data", options.data, "A data set (actforge data list), or a folder or file")
                          ->capture_default_str()
                          ->common();
  verb.add_option("--activation", options.activations,
                  "A function for all activations, or several separated by commas; by default the network's own")
      ->type_name("EXPR[,EXPR...]")
      ->common();
  add_spectrum_options(verb, options);
  add_whole_number(verb, "--seed", options.seed, "Seed of the split, the weights, the batches, the labels, dropout")
      ->common();
  add_whole_number(verb, "--threads", options.threads, "0: one per processor");
  CLI::Option* report = verb.add_option("--report", options.report, "Draw the distributions (.svg or .png)")->common();
  report->type_name("FILE");
  verb.add_option(
          "--study", options.study,
          "Measure the given functions, or all trials of this study, under its conditions, and store the spectra in it")
      ->type_name("STUDY")
      ->excludes(net)
      ->excludes(data)
      ->excludes(report)
      ->common();
  verb.add_flag("--json", options.json, "Answer in JSON");
}

}  // namespace

void add_fisher(CLI::App& app, VerbAction& chosen) {
  CLI::App* verb =
      app.add_subcommand("fisher", "Measure the spectrum of the Fisher information at the initial weights");
  verb->footer(
      "Examples:\n"
      "  actforge fisher --net allcnn-mini --data digits --activation 'swish(x)'\n"
      "  actforge fisher --net allcnn-mini --data fashion-mnist --activation 'elu(x), -elu(x), tanh(x)' --draws 4 "
      "--report spectrum.svg\n"
      "  actforge fisher --study study.db");
  const auto options = std::make_shared<FisherCommand>();
  add_options(*verb, *options);
  verb->callback([options, &chosen] {
    chosen = VerbAction([options] { return libtorch().fisher(*options); }, [] { return true; });
  });
}

}  // namespace actforge::tool
