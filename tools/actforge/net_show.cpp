#include <fmt/format.h>

#include <memory>

#include "actforge/net/network_json.h"
#include "actforge/net/network_text.h"
#include "actforge/net_options.h"
#include "actforge/net_picture.h"
#include "actforge/report/text.h"
#include "actforge/space/integer.h"

namespace actforge::tool {
namespace {

struct Options {
  NetOptions net;
  std::string output;
  bool text = false;
  bool json = false;
};

struct Column {
  std::string title;
  bool right = false;
  std::vector<std::string> cells = {};
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

std::vector<Column> table_of(const Network& network) {
  constexpr int kWidest = 60;  // functions may be of any length
  Column name = {"name"}, kind = {"kind"}, settings = {"settings"}, from = {"from"}, output = {"output", true},
         weights = {"weights", true}, parameters = {"parameters", true};
  for (LayerId id = 0; id < network.layers().size(); ++id) {
    const Layer& layer = network.layer(id);
    const std::int64_t counted = layer.weight_count(), learned = layer.parameter_count();
    name.cells.push_back(layer.name);
    kind.cells.emplace_back(layer.kind->name);
    settings.cells.push_back(cut_to_columns(settings_text(layer), kWidest, "..."));
    from.cells.push_back(input_names(network, id));
    output.cells.push_back(shape_text(layer.output.shape));
    weights.cells.push_back(counted == 0 ? "" : with_commas(counted));
    parameters.cells.push_back(counted == learned ? "" : with_commas(learned));
  }
  return {name, kind, settings, from, output, weights, parameters};
}

void print_table(std::vector<Column> table) {
  std::erase_if(table, [](const Column& column) {
    return std::all_of(column.cells.begin(), column.cells.end(), [](const std::string& cell) { return cell.empty(); });
  });
  std::vector<std::string> lines(table[0].cells.size() + 1);
  for (Column& column : table) {
    column.cells.insert(column.cells.begin(), column.title);
    int width = 0;
    for (const std::string& cell : column.cells) width = std::max(width, terminal_columns(cell));
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const std::string blanks(static_cast<std::size_t>(width - terminal_columns(column.cells[i])), ' ');
      lines[i] += column.right ? blanks + column.cells[i] + "  " : column.cells[i] + blanks + "  ";
    }
  }
  for (std::string& line : lines) {
    line.erase(line.find_last_not_of(' ') + 1);
    write_output(line + "\n");
  }
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
    print_table(table_of(network));
    print_totals(network);
  } else {
    fmt::print(stderr, "wrote {}\n", options.output);
  }
  return 0;
}

}  // namespace

Run add_net_show(CLI::App& verb) {
  const auto options = std::make_shared<Options>();
  add_net_argument(verb, options->net);
  verb.add_option("-o,--output", options->output, "A picture of the network: a file to write, .svg or .png")
      ->type_name("FILE");
  CLI::Option* text = verb.add_flag("--text", options->text, "Print it in text form, which is a NET again");
  verb.add_flag("--json", options->json, "Print it in JSON, which is a NET too")->excludes(text);
  verb.footer(
      "Weights are kernels, biases and embeddings. Learned parameters are those, gains and offsets of normalisations,\n"
      "and parameters of activation functions. A file has its own input and classes: --input and --classes only "
      "check.");
  return [options] { return run(*options); };
}

}  // namespace actforge::tool
