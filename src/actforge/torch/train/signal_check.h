#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "actforge/base/run_context.h"
#include "actforge/init/weight_plan.h"

namespace actforge {

struct SignalCheckOptions {
  std::size_t draws = 16;           // of all weights
  std::size_t samples = 8;          // of each draw
  bool scale_by_samples = false;    // LSUV
  RunContext run = {.threads = 0};  // progress is called "draws"; stops before any layer
};

// Mean and variance of each layer's output over draws of the weights, normal inputs of the planned moments (and whole
// numbers, for an embedding), places and channels, as in training: dropout drops, batches are normalised. Empty for
// layers that cannot be executed, and those after them. Throws Error (kCancelled) where the run is told to stop, as
// does weights_by_samples().
struct MeasuredSignal : SignalMoments {
  double error = 0;  // standard error of the variance, from the differences between draws; NaN of a single draw
};
using MeasuredSignals = std::vector<std::optional<MeasuredSignal>>;
MeasuredSignals measure_signals(const Network& network, const WeightPlan& plan, const SignalMoments& input,
                                const FileValues& file, const SignalCheckOptions& options);

// Numbers of all weights after LSUV on such inputs, as Layer::weights of each layer.
std::vector<std::vector<std::vector<float>>> weights_by_samples(const Network& network, const WeightPlan& plan,
                                                                const SignalMoments& input, const FileValues& file,
                                                                const SignalCheckOptions& options);

}  // namespace actforge
