#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "actforge/net/graph/network_json.h"
#include "actforge/net/graph/network_text.h"
#include "actforge/report/svg/text.h"
#include "actforge/space/integer.h"
#include "tools/actforge/common/messages.h"
#include "tools/actforge/common/table.h"
#include "tools/actforge/net/options.h"
#include "tools/actforge/net/picture.h"

namespace actforge::tool {
namespace {

struct Options {
  NetOptions net;
  std::string output;
  bool text = false;
  bool json = false;
};

// Where a layer takes its inputs from, unless that is the layer above.
std::string input_names(const Network& network, LayerId id) {
  constexpr int kWidest = 40;
  const std::vector<LayerId>& inputs = network.layer(id).inputs;
  if (inputs.size() == 1 && inputs[0] + 1 == id) return {};
  std::string names;
  for (const LayerId input : inputs) names += (names.empty() ? "" : ", ") + network.layer(input).name;
  return cut_to_columns(names, kWidest, "...");
}

// Columns in which nothing stands are left out.
void print_layers(const Network& network) {
  constexpr int kWidest = 60;  // functions may be of any length
  std::vector<std::string> titles = {"name", "kind", "settings", "from", "#output", "#weights", "#parameters"};
  std::vector<std::vector<std::string>> rows;
  for (LayerId id = 0; id < network.layers().size(); ++id) {
    const Layer& layer = network.layer(id);
    const std::int64_t counted = layer.weight_count(), learned = layer.parameter_count();
    rows.push_back({layer.name, std::string(layer.kind->name), cut_to_columns(settings_text(layer), kWidest, "..."),
                    input_names(network, id), shape_text(layer.output.shape), counted == 0 ? "" : with_commas(counted),
                    counted == learned ? "" : with_commas(learned)});
  }
  for (std::size_t i = titles.size(); i-- > 0;) {
    if (std::any_of(rows.begin(), rows.end(), [&](const auto& row) { return !row[i].empty(); })) continue;
    titles.erase(titles.begin() + static_cast<std::ptrdiff_t>(i));
    for (auto& row : rows) row.erase(row.begin() + static_cast<std::ptrdiff_t>(i));
  }
  print_table(std::move(titles), std::move(rows));
}

void print_totals(const Network& network) {
  const std::int64_t weights = network.weight_count(), parameters = network.parameter_count();
  fmt::print("\n{}: {} layers, {} weights", network.name(), with_commas(network.layers().size()), with_commas(weights));
  if (parameters != weights) fmt::print(", {} learned parameters", with_commas(parameters));
  fmt::print("\n");
}

int run(const Options& options) {
  const Network network = read_network(options.net);
  if (!options.output.empty()) save_network_picture(network, options.output);
  if (options.json) {
    write_output(network_json(network) + "\n");
  } else if (options.text) {
    write_output(network_text(network));
  } else if (options.output.empty()) {
    print_layers(network);
    print_totals(network);
  } else {
    note("wrote {}", options.output);
  }
  return 0;
}

}  // namespace

VerbAction add_net_show(CLI::App& verb) {
  const auto options = std::make_shared<Options>();
  add_net_argument(verb, options->net);
  verb.add_option("-o,--output", options->output, "A picture of the network: a file to write, .svg or .png")
      ->type_name("FILE");
  CLI::Option* text = verb.add_flag("--text", options->text, "Print it in text form, which can be read as a NET");
  verb.add_flag("--json", options->json, "Print it in JSON, which can be read as a NET")->excludes(text);
  verb.footer(
      "Weights are kernels, biases and embeddings. Learned parameters are those, gains and offsets of normalisations,\n"
      "and parameters of activation functions. A file has its own input and classes: --input and --classes only "
      "check.");
  return [options] { return run(*options); };
}

}  // namespace actforge::tool
