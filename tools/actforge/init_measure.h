#pragma once

#include "actforge/train/signal_check.h"

// What needs LibTorch. The program without it becomes the one with it, and does not come back.
namespace actforge::tool {

MeasuredSignals measure(const Network& network, const WeightPlan& plan, const SignalMoments& input,
                        const FileValues& file, const SignalCheckOptions& options);

// All weights after LSUV, as Layer::weights of each layer.
std::vector<std::vector<std::vector<float>>> measured_weights(const Network& network, const WeightPlan& plan,
                                                              const SignalMoments& input, const FileValues& file,
                                                              const SignalCheckOptions& options);

}  // namespace actforge::tool
