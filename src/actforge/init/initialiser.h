#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "actforge/base/random.h"
#include "actforge/net/network.h"

namespace actforge {

// A way to draw the kernels of a network: one row in initialiser.cpp.
struct Initialiser {
  std::string_view name;
  std::string_view summary;
  void (*fill)(const Weight& kernel, Random& random, std::span<float> values);
  // Null: biases start at zero.
  void (*fill_bias)(const Weight& bias, Random& random, std::span<float> values) = nullptr;
};

std::span<const Initialiser> initialisers();
// Throws Error (kUsage) with the nearest name.
const Initialiser& find_initialiser(std::string_view name);

// The numbers a weight begins with. They depend on the seed and the names of layer and weight alone, so a layer that is
// added changes no other. Recurrent kernels are orthogonal and embeddings N(0, 0.02²) with every initialiser; gains,
// offsets and the parameters of activations have their own beginnings.
std::vector<float> initial_values(const Initialiser& initialiser, const Layer& layer, const Weight& weight,
                                  std::uint64_t seed);

}  // namespace actforge
