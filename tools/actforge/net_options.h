#pragma once

#include <optional>
#include <string>
#include <vector>

#include "actforge/net/find_network.h"
#include "actforge/verb.h"

namespace actforge::tool {

// How a network is given on the command line.
struct NetOptions {
  std::string net;
  std::optional<std::uint64_t> classes;
  std::optional<std::string> input;
  std::optional<std::string> activation;
  std::vector<std::string> activation_at;  // PATTERN=EXPR, each after the one before
};

// The argument NET, and the options beside it.
void add_net_argument(CLI::App& verb, NetOptions& options);
Network read_network(const NetOptions& options);

}  // namespace actforge::tool
