#include "tools/actforge/net/options.h"

#include <fmt/format.h>

namespace actforge::tool {
namespace {

Shape read_input(const std::string& text) {
  try {
    Shape shape = parse_shape(text);
    element_count(shape);  // for its checks
    return shape;
  } catch (const Error& error) {
    throw Error(ErrorCode::kUsage, std::string("--input: ") + error.what());
  }
}

NetworkOptions network_options(const NetOptions& options) {
  constexpr std::uint64_t kMostClasses = 1'000'000;
  NetworkOptions answer;
  if (options.input) answer.input = read_input(*options.input);
  if (!options.classes) return answer;
  if (*options.classes < 2 || *options.classes > kMostClasses) {
    throw Error(ErrorCode::kUsage, fmt::format("--classes takes 2 to {}, not {}", kMostClasses, *options.classes));
  }
  answer.classes = static_cast<std::int64_t>(*options.classes);
  return answer;
}

void replace_at(Network& network, const std::string& setting) {
  const std::size_t equals = setting.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw Error(ErrorCode::kUsage,
                "--activation-at takes PATTERN=EXPR, such as 'activation_1=tanh(x)', not '" + setting + "'");
  }
  network.set_activation(read_expr(setting.substr(equals + 1)), setting.substr(0, equals));
}

}  // namespace

void add_activation_options(CLI::App& verb, ActivationOptions& options) {
  verb.add_option("--activation", options.everywhere, "Put this function into every activation")
      ->type_name("EXPR")
      ->common();
  verb.add_option("--activation-at", options.at,
                  "Then this one into those whose names match: * is any characters, ? is one; repeatable")
      ->type_name("PATTERN=EXPR")
      ->expected(1)
      ->take_all();
}

void set_activations(Network& network, const ActivationOptions& options) {
  if (options.everywhere) network.set_activation(read_expr(*options.everywhere));
  for (const std::string& setting : options.at) replace_at(network, setting);
}

void add_net_argument(CLI::App& verb, NetOptions& options) {
  verb.add_option("NET", options.net, "A name, or a file: ONNX, Keras (.json, .keras), our text or JSON form")
      ->required();
  verb.add_option_function(
          "--classes", [&options](const std::string& text) { options.classes = read_whole_number(text, "--classes"); },
          "Number of classes [10]")
      ->type_name("N");
  verb.add_option("--input", options.input, "Extents of a sample, channels first [the network's own]")
      ->type_name("CxHxW");
  add_activation_options(verb, options.activations);
}

Network read_network(const NetOptions& options) {
  Network network = find_network(options.net, network_options(options));
  set_activations(network, options.activations);
  return network;
}

}  // namespace actforge::tool
