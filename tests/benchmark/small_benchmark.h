#pragma once

#include <cmath>
#include <limits>

#include "actforge/benchmark/benchmark.h"

namespace actforge {

// Four functions, two seeds, a run that failed, a function without a spectrum.
inline Benchmark small_benchmark() {
  const double none = std::numeric_limits<double>::quiet_NaN();
  Benchmark benchmark = {
      .command = "actforge bench build", .settings = "", .spectra = "fisher 2: a network", .version = "1.2.3"};
  const auto run = [](std::uint64_t seed, double accuracy, double loss) {
    return BenchmarkRun{.completed = std::isfinite(accuracy),
                        .seed = seed,
                        .accuracy = accuracy,
                        .loss = loss,
                        .train_accuracy = accuracy + 0.01,
                        .train_loss = loss - 0.01,
                        .seconds = 1.5};
  };
  // Two layers: of three bins as wide as 2, and of two as wide as 5.
  benchmark.functions = {
      {.expression = "relu(x)",
       .equivalents = {"max(x,0)"},
       .runs = {run(7, 0.8, 0.5), run(9, 0.7, 0.6)},
       .spectrum = {0, 1, 2, 2.5F, 5}},
      {.expression = "tanh(x)", .runs = {run(7, 0.6, 0.9), run(9, none, none)}, .spectrum = {0.5F, 0.5F, 2, 0, 5}},
      {.expression = "swish(x)", .runs = {run(7, 0.9, 0.3), run(9, 0.8, 0.4)}, .spectrum = {0, 0, 2, 5, 5}},
      {.expression = "exp(x)*x", .runs = {run(7, none, none), run(9, none, none)}, .reason = "an infinite eigenvalue"},
  };
  return benchmark;
}

}  // namespace actforge
