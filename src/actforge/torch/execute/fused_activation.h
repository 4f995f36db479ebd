#pragma once

#include <memory>

#include "actforge/torch/execute/compiled_activation.h"
#include "actforge/torch/execute/libtorch.h"

namespace actforge {

struct FusedCall {
  std::shared_ptr<const CompiledActivation> compiled;
  torch::Tensor x;                        // [N, sample...], float32 on the CPU
  std::vector<torch::Tensor> parameters;  // float32 on the CPU, of the shapes of Activation::parameter_shape()
  std::int64_t channel_axis = 0;          // within the sample
};

// The function's value by its kernel, and a node in the graph that does the same for its gradients.
torch::Tensor apply_fused(FusedCall call);

}  // namespace actforge
