#include "actforge/torch/train/optimizer.h"

#include <cmath>

namespace actforge {

using torch::Tensor;

Optimizer::Optimizer(const TrainOptions& options, std::vector<LearnedWeight> weights)
    : options_(options),
      is_adam_(options.optimizer == "adam" || options.optimizer == "adamw"),
      is_decoupled_(options.optimizer == "adamw" || options.decay == "decoupled"),
      weights_(std::move(weights)) {
  for (int copy = 0; copy < (is_adam_ ? 2 : 1); ++copy) {
    for (const LearnedWeight& weight : weights_) state_.push_back(torch::zeros_like(weight.tensor.detach()));
  }
}

void Optimizer::step(double learning_rate) {
  const torch::NoGradGuard no_grad;
  ++steps_;
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    LearnedWeight& weight = weights_[i];
    Tensor& gradient = weight.tensor.mutable_grad();
    if (!gradient.defined()) continue;
    const double rate = learning_rate * weight.rate_factor;
    if (weight.decay != 0 && is_decoupled_) weight.tensor.mul_(1 - rate * weight.decay);
    if (weight.decay != 0 && !is_decoupled_) gradient.add_(weight.tensor, weight.decay);
    is_adam_ ? step_adam(i, gradient, rate) : step_sgd(i, gradient, rate);
    gradient.reset();
  }
}

void Optimizer::step_sgd(std::size_t i, const Tensor& gradient, double rate) {
  Tensor& weight = weights_[i].tensor;
  if (options_.momentum == 0) {
    weight.add_(gradient, -rate);
    return;
  }
  Tensor& momentum = state_[i].mul_(options_.momentum).add_(gradient);
  if (options_.optimizer == "nesterov") {
    weight.add_(gradient, -rate).add_(momentum, -rate * options_.momentum);
  } else {
    weight.add_(momentum, -rate);
  }
}

void Optimizer::step_adam(std::size_t i, const Tensor& gradient, double rate) {
  const double beta1 = options_.momentum, beta2 = options_.beta2;
  const auto t = static_cast<double>(steps_);
  Tensor& first = state_[i].mul_(beta1).add_(gradient, 1 - beta1);
  Tensor& second = state_[weights_.size() + i].mul_(beta2).addcmul_(gradient, gradient, 1 - beta2);
  const Tensor denominator = second.sqrt().div_(std::sqrt(1 - std::pow(beta2, t))).add_(options_.epsilon);
  weights_[i].tensor.addcdiv_(first, denominator, -rate / (1 - std::pow(beta1, t)));
}

}  // namespace actforge
