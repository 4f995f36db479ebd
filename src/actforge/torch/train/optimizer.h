#pragma once

#include <span>
#include <vector>

#include "actforge/recipe/train_options.h"
#include "actforge/torch/execute/libtorch.h"

namespace actforge {

// A weight that is learned, and how it differs from the others.
struct LearnedWeight {
  torch::Tensor tensor;
  double rate_factor = 1;  // of the learning rate
  double decay = 0;
};

// The step of TrainOptions::optimizer. All its state is tensors, so that it can be kept and restored.
//   sgd        m ← μ m + g              w ← w - η m
//   nesterov   m ← μ m + g              w ← w - η (g + μ m)
//   adam       m ← μ m + (1-μ) g,  v ← β v + (1-β) g²    w ← w - η m/(1-μᵗ) / (√(v/(1-βᵗ)) + ε)
// Weight decay λ: g ← g + λ w before (l2), or w ← (1 - ηλ) w before (decoupled, as in adamw).
class Optimizer {
 public:
  Optimizer(const TrainOptions& options, std::vector<LearnedWeight> weights);

  // Uses and clears the gradients; a weight without one stays.
  void step(double learning_rate);

  // Momentum per weight, and for Adam the second moments after them; and the number of steps.
  std::vector<torch::Tensor>& state() { return state_; }
  std::int64_t steps() const { return steps_; }
  void set_steps(std::int64_t steps) { steps_ = steps; }

 private:
  void step_sgd(std::size_t i, const torch::Tensor& gradient, double rate);
  void step_adam(std::size_t i, const torch::Tensor& gradient, double rate);

  TrainOptions options_;
  bool is_adam_;
  bool is_decoupled_;
  std::vector<LearnedWeight> weights_;
  std::vector<torch::Tensor> state_;
  std::int64_t steps_ = 0;
};

}  // namespace actforge
