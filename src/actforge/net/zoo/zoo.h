#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "actforge/net/graph/network.h"

namespace actforge {

// What a network is built for.
struct NetworkOptions {
  Shape input = {};          // empty: the architecture's own
  std::int64_t classes = 0;  // 0: ten, or as many as a file's network has
};

// What stands for each capital letter of an architecture's name, in order.
using NameNumbers = std::vector<std::int64_t>;

// An architecture: one file, one row in zoo.cpp.
struct Architecture {
  std::string_view name;  // a capital letter stands for a whole number: mlp-D-W
  std::string_view example;
  std::string_view summary;
  Shape (*input)();
  // The training recipe that suits it.
  std::string_view recipe;
  // Adds its layers after `image`; gives the layer before the softmax. Throws Error (kBadInput).
  LayerId (*build)(NetworkBuilder& builder, LayerId image, std::int64_t classes, const NameNumbers& numbers);
};

std::span<const Architecture> architectures();

// The architecture that a name belongs to, and its numbers.
struct NamedArchitecture {
  const Architecture* architecture;
  NameNumbers numbers;
};
std::optional<NamedArchitecture> find_architecture(std::string_view name);

// Throws Error (kBadInput), with the nearest name where it is unknown.
Network build_network(std::string_view name, const NetworkOptions& options = {});

}  // namespace actforge
