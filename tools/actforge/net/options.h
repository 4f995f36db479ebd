#pragma once

#include <optional>
#include <string>
#include <vector>

#include "actforge/import/find_network.h"
#include "tools/actforge/common/verb.h"

namespace actforge::tool {

// The functions of a network's activations.
struct ActivationOptions {
  std::optional<std::string> everywhere = {};
  std::vector<std::string> at = {};  // PATTERN=EXPR, each after the one before
};
void add_activation_options(CLI::App& verb, ActivationOptions& options);
void set_activations(Network& network, const ActivationOptions& options);

// How a network is given on the command line.
struct NetOptions {
  std::string net;
  std::optional<std::uint64_t> classes;
  std::optional<std::string> input;
  ActivationOptions activations;
};

// The argument NET, and the options beside it.
void add_net_argument(CLI::App& verb, NetOptions& options);
Network read_network(const NetOptions& options);

}  // namespace actforge::tool
