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
  Shape input = {};             // empty: the architecture's own
  std::int64_t classes = 0;     // 0: ten, or as many as a file's network has
  std::int64_t vocabulary = 0;  // of networks for text: how many different words there are; 0: 10,000
};

// What an architecture is built to: as NetworkOptions has it, and what stands for each capital letter of the name, in
// order.
struct NetworkSizes {
  std::int64_t classes = 10;
  std::int64_t vocabulary = 10'000;
  std::vector<double> numbers = {};

  std::int64_t whole(std::size_t letter) const { return static_cast<std::int64_t>(numbers[letter]); }
};

// An architecture: one file, one row in zoo.cpp.
struct Architecture {
  std::string_view name;  // a capital letter stands for a number: mlp-D-W
  std::string_view example;
  std::string_view summary;
  Shape (*input)();
  // The training recipe that suits it.
  std::string_view recipe;
  // Adds its layers after `input`; gives the layer before the softmax. Throws Error (kBadInput).
  LayerId (*build)(NetworkBuilder& net, LayerId input, const NetworkSizes& sizes);
  bool text = false;       // a sample is a row of whole numbers, one for each word
  bool fractions = false;  // the numbers of the name may have a decimal point
};

std::span<const Architecture> architectures();

// The architecture that a name belongs to, and its numbers.
struct NamedArchitecture {
  const Architecture* architecture;
  std::vector<double> numbers;
};
std::optional<NamedArchitecture> find_architecture(std::string_view name);

// Throws Error (kBadInput), with the nearest name where it is unknown.
Network build_network(std::string_view name, const NetworkOptions& options = {});

}  // namespace actforge
