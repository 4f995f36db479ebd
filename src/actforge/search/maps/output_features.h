#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "actforge/base/run_context.h"
#include "actforge/expr/language/expr.h"
#include "actforge/surrogate/points.h"

namespace actforge {

// Where functions are looked at.
struct OutputOptions {
  std::uint64_t inputs = 1000;
  // From -5 to 5 in equal steps; otherwise drawn from the standard normal distribution truncated to [-5, 5].
  bool evenly = false;
  std::string normal_form = "none";  // in which functions are looked at
  RunContext run = {.threads = 0};   // the seed is that of the draws
};

// In the order of the features.
std::vector<float> output_inputs(const OutputOptions& options);

// One row per function: its outputs in float32 (NaN where it does not have the normal form), learnable parameters at
// their initial values, each divided by √n. The Euclidean distance of two rows is then the dissertation's second
// distance, sqrt(Σ (φ(x_i) - ψ(x_i))² / n).
Points output_features(std::span<const Expr> functions, const OutputOptions& options = {});

// Whether a function can be placed: no output is infinite or undefined.
bool is_finite(std::span<const float> features);

}  // namespace actforge
