#include "actforge/torch/execute/activation.h"

#include <algorithm>
#include <sstream>
#include <string>

#include "actforge/base/error.h"
#include "actforge/torch/execute/compiled_activation.h"
#include "actforge/torch/execute/fused_activation.h"
#include "actforge/torch/execute/torch_ops.h"

namespace actforge {
namespace {

using torch::Tensor;

std::string shape_text(torch::IntArrayRef shape) {
  std::ostringstream text;
  text << shape;
  return text.str();
}

void check(const Tensor& x, std::span<const Parameter> parameters, std::span<const Tensor> tensors,
           std::int64_t channel_axis) {
  if (x.dim() == 0) throw Error(ErrorCode::kBadInput, "an activation function needs a batch, not a single number");
  if (tensors.size() != parameters.size()) {
    throw Error(ErrorCode::kBadInput, "the function has " + std::to_string(parameters.size()) +
                                          " parameters, values were given for " + std::to_string(tensors.size()));
  }
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    const auto wanted = Activation::parameter_shape(parameters[k], x.sizes().slice(1), channel_axis);
    const std::string name = "parameter '" + parameter_name(parameters[k].index) + "'";
    if (tensors[k].sizes() != wanted) {
      throw Error(ErrorCode::kBadInput,
                  name + " has the shape " + shape_text(tensors[k].sizes()) + " instead of " + shape_text(wanted));
    }
    if (tensors[k].scalar_type() != x.scalar_type() || tensors[k].device() != x.device()) {
      throw Error(ErrorCode::kBadInput, name + " has another type or device than x");
    }
  }
}

}  // namespace

Activation::Activation(const Expr& expr, ActivationBackend backend)
    : compiled_(std::make_shared<const CompiledActivation>(expr)), backend_(backend) {}

std::span<const Parameter> Activation::parameters() const { return compiled_->kernel.parameters(); }

std::vector<std::int64_t> Activation::parameter_shape(const Parameter& parameter, torch::IntArrayRef sample_shape,
                                                      std::int64_t channel_axis) {
  if (parameter.scope == Scope::kLayer) return {};
  if (parameter.scope == Scope::kNeuron) return sample_shape.vec();
  if (channel_axis < 0 || channel_axis >= static_cast<std::int64_t>(sample_shape.size())) {
    throw Error(ErrorCode::kBadInput,
                "no axis " + std::to_string(channel_axis) + " in samples of shape " + shape_text(sample_shape));
  }
  return {sample_shape[static_cast<std::size_t>(channel_axis)]};
}

std::vector<Tensor> Activation::initial_parameters(torch::IntArrayRef sample_shape, std::int64_t channel_axis) const {
  std::vector<Tensor> tensors;
  for (const Parameter& parameter : parameters()) {
    tensors.push_back(
        torch::full(parameter_shape(parameter, sample_shape, channel_axis), parameter.initial, torch::kFloat32));
  }
  return tensors;
}

Tensor Activation::apply(const Tensor& x, std::span<const Tensor> parameters, std::int64_t channel_axis) const {
  check(x, this->parameters(), parameters, channel_axis);
  const bool kernel_fits = x.device().is_cpu() && x.scalar_type() == torch::kFloat32 && x.layout() == torch::kStrided;
  if (backend_ == ActivationBackend::kFused && kernel_fits) {
    return apply_fused({.compiled = compiled_,
                        .x = x,
                        .parameters = {parameters.begin(), parameters.end()},
                        .channel_axis = channel_axis});
  }
  return run_operators(compiled_->graph, {x, parameters, channel_axis});
}

}  // namespace actforge
