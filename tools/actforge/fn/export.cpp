#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <memory>

#include "actforge/base/atomic_file.h"
#include "actforge/base/error.h"
#include "actforge/expr/export/export.h"
#include "tools/actforge/common/messages.h"
#include "tools/actforge/common/verb.h"

namespace actforge::tool {
namespace {

struct Options {
  std::string expression;
  std::string target;
  std::string output;
  std::string scope;
  std::string onnx_style = "function";
  std::string parameter_shape;
  ExportOptions settings;
  int rank = -1;
  bool json = false;
  bool no_cost = false;
};

ExportOptions settings_of(const Options& options) {
  ExportOptions settings = options.settings;
  if (options.scope == "layer") settings.scope = Scope::kLayer;
  if (options.scope == "channel") settings.scope = Scope::kChannel;
  if (options.scope == "neuron") settings.scope = Scope::kNeuron;
  if (options.rank >= 0) settings.onnx_rank = options.rank;
  settings.onnx_local_function = options.onnx_style == "function";
  if (!options.parameter_shape.empty()) {
    settings.parameter_shape.clear();
    for (const double size : read_numbers(options.parameter_shape, "--param-shape")) {
      if (!(size >= 1 && size <= 1e9) || size != std::floor(size)) {
        throw Error(ErrorCode::kUsage, "--param-shape takes whole numbers of at least 1");
      }
      settings.parameter_shape.push_back(static_cast<std::int64_t>(size));
    }
  }
  return settings;
}

int run(const Options& options) {
  const Expr expr = read_expr(options.expression);
  ExportOptions settings = settings_of(options);
  if (!options.no_cost) settings.cost = measure_cost(expr);
  const std::string text = export_expr(expr, options.target, settings);
  const bool binary = find_export_target(options.target).binary;
  if (!options.output.empty()) {
    write_file(options.output, text);
    if (options.json) {
      print_json({{"target", options.target}, {"file", options.output}, {"bytes", text.size()}});
    } else {
      note("wrote {}", options.output);
    }
  } else if (binary && (options.json || isatty(STDOUT_FILENO) != 0)) {
    throw Error(ErrorCode::kUsage, "a file for " + options.target + " is binary: name it with -o");
  } else if (options.json) {
    print_json({{"target", options.target}, {"text", text}});
  } else {
    std::fwrite(text.data(), 1, text.size(), stdout);
  }
  return 0;
}

}  // namespace

VerbAction add_fn_export(CLI::App& verb) {
  const auto options = std::make_shared<Options>();
  std::string targets;
  for (const ExportTarget& target : export_targets())
    targets += (targets.empty() ? "" : "|") + std::string(target.name);
  verb.add_option("EXPR", options->expression, "The activation function")->required();
  verb.add_option("--to", options->target, "What to write it for")->required()->type_name(targets);
  verb.add_option("-o,--output", options->output, "File to write; without it the text goes to standard output")
      ->type_name("FILE");
  verb.add_option("--name", options->settings.name, "Name of the class, function or namespace in the file")
      ->capture_default_str();
  verb.add_option("--per", options->scope,
                  "Learnable parameters per layer, channel or neuron, whatever the expression says")
      ->check(CLI::IsMember({"layer", "channel", "neuron"}));
  verb.add_option("--onnx-style", options->onnx_style, "ONNX: a local function, or its nodes inlined in the graph")
      ->check(CLI::IsMember({"function", "inline"}))
      ->capture_default_str();
  verb.add_option("--param-shape", options->parameter_shape,
                  "ONNX: shape of the parameters, such as 64,1,1 for 64 channels")
      ->type_name("N,N,...");
  verb.add_option("--rank", options->rank,
                  "ONNX: dimensions of x, 0 for any; one more than the parameters have if not given")
      ->check(CLI::Range(0, 16));
  verb.add_flag("--no-cost", options->no_cost,
                "Leave out what was measured, so that the file is the same on every machine");
  verb.add_flag("--json", options->json, "Answer in JSON");
  return [options] { return run(*options); };
}

}  // namespace actforge::tool
