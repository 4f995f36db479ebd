#pragma once

#include "actforge/base/run_context.h"
#include "actforge/init/weight_plan.h"
#include "actforge/torch/execute/model.h"

namespace actforge {

// Draws every weight. Where a file has numbers for those that are not drawn, they are taken.
void set_initial_weights(Model& model, const WeightPlan& plan, std::uint64_t seed, const FileValues& file = {});

// Layer-sequential unit variance (Mishkin and Matas 2016): scales each kernel, from the first layer to the last, so
// that its layer's output for these samples has the planned variance. Biases are zero, so once is enough, and one
// pass through the network serves all layers. Of `run` only stop() is used, before each layer: throws Error
// (kCancelled), and the model is half scaled.
void scale_by_samples(Model& model, const WeightPlan& plan, const std::vector<torch::Tensor>& inputs,
                      const RunContext& run = {});

}  // namespace actforge
