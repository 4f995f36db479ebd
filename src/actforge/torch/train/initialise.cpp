#include "actforge/torch/train/initialise.h"

#include <cmath>
#include <map>
#include <span>

namespace actforge {

using torch::Tensor;

namespace {

// Where the numbers lie in the order of the weight; empty where they do not, or not in our memory.
std::span<float> plain_memory(const ModelWeight& weight) {
  const Tensor& tensor = weight.tensor;
  const bool plain = tensor.device().is_cpu() && tensor.scalar_type() == torch::kFloat32 && tensor.is_contiguous() &&
                     tensor.sizes() == torch::IntArrayRef(weight.weight->shape);
  if (!plain) return {};
  return {tensor.data_ptr<float>(), static_cast<std::size_t>(tensor.numel())};
}

}  // namespace

void set_initial_weights(Model& model, const WeightPlan& plan, std::uint64_t seed, const FileValues& file) {
  const Network& network = model.network();
  for (ModelWeight& weight : model.weights()) {
    const auto index = static_cast<std::size_t>(weight.weight - network.layer(weight.layer).weights.data());
    const bool drawn = plan.weights[weight.layer][index].distribution != nullptr;
    const bool fixed = weight.weight->role != WeightRole::kBias && !drawn && file;
    const std::vector<float> values = fixed ? file(weight.layer, index) : std::vector<float>();
    if (!values.empty()) {
      model.set_weight(weight, values);
    } else if (const std::span<float> memory = plain_memory(weight); !memory.empty()) {
      draw_weight(plan, network, weight.layer, index, seed, memory);
    } else {
      model.set_weight(weight, draw_weight(plan, network, weight.layer, index, seed));
    }
  }
}

void scale_by_samples(Model& model, const WeightPlan& plan, const std::vector<Tensor>& inputs, const RunContext& run) {
  const torch::NoGradGuard no_grad;
  std::map<LayerId, Tensor> kernels;
  for (const ModelWeight& weight : model.weights()) {
    const bool is_scaled = model.network().layer(weight.layer).kind->kernel == KernelUse::kLinear;
    if (is_scaled && weight.weight->role == WeightRole::kKernel) kernels.emplace(weight.layer, weight.tensor);
  }
  model.walk(inputs, /*training=*/true, /*dropout_seed=*/0, [&](LayerId id, Tensor& value) {
    run.check();
    const auto found = kernels.find(id);
    if (found == kernels.end()) return;
    const double variance = value.var(/*unbiased=*/false).item<double>();
    if (!(variance > 0) || !std::isfinite(variance)) return;
    const double factor = std::sqrt(plan.signal_variance / variance);
    found->second.mul_(factor);
    value = value * factor;
  });
}

}  // namespace actforge
