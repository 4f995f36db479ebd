#pragma once

#include <span>
#include <string_view>

#include "actforge/init/weights/weight_distribution.h"

namespace actforge {

// How the scale of a network's kernels is found.
enum class InitRule : std::uint8_t {
  kFixed,            // from the size of the kernel alone
  kAutoInit,         // from the signals that reach it
  kAutoInitCentred,  // the same, with activations that have mean zero: AutoInit++
  kMeasured,         // as AutoInit's, corrected by what samples measure: LSUV
};

// An initialiser: one row in initialiser.cpp.
struct Initialiser {
  std::string_view name;
  std::string_view summary;
  InitRule rule;
  std::string_view distribution;
  // Of kFixed.
  double (*variance)(const Weight& kernel) = nullptr;
  bool random_bias = false;  // drawn as the kernels are; otherwise zero
};

std::span<const Initialiser> initialisers();
// Throws Error (kUsage) with the nearest name.
const Initialiser& find_initialiser(std::string_view name);

}  // namespace actforge
