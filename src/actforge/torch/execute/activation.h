#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "actforge/expr/language/expr.h"
#include "actforge/torch/execute/libtorch.h"

namespace actforge {

struct CompiledActivation;

// Which code computes an activation function.
enum class ActivationBackend : std::uint8_t {
  kFused,      // one pass over memory where x is float32 on the CPU; the operators elsewhere
  kOperators,  // one LibTorch operator per operator of the function: any device and type, and the oracle of kFused
};

// An activation function as a differentiable operation on tensors. Immutable: layers and threads may share one, and a
// copy is cheap.
class Activation {
 public:
  explicit Activation(const Expr& expr, ActivationBackend backend = ActivationBackend::kFused);

  // The expression's own parameters, then those of its named functions.
  std::span<const Parameter> parameters() const;

  // The shape of a parameter's tensor, where samples (without the batch) have this shape and their channels lie along
  // this axis: {} per layer, {C} per channel, the sample's own per neuron.
  static std::vector<std::int64_t> parameter_shape(const Parameter& parameter, torch::IntArrayRef sample_shape,
                                                   std::int64_t channel_axis);
  // Tensors of the initial values, one per parameters().
  std::vector<torch::Tensor> initial_parameters(torch::IntArrayRef sample_shape, std::int64_t channel_axis) const;

  // x is [N, sample...]; `channel_axis` counts within the sample: 0 for [N, C, H, W], 1 for [N, tokens, C]. Contiguous,
  // channels-last and all other dense tensors are used as they lie, and the result lies the same way. The graph keeps x
  // and the parameters alone. Gradients do not depend on the number of threads, not even in the last bit.
  torch::Tensor apply(const torch::Tensor& x, std::span<const torch::Tensor> parameters,
                      std::int64_t channel_axis) const;

 private:
  std::shared_ptr<const CompiledActivation> compiled_;
  ActivationBackend backend_;
};

}  // namespace actforge
