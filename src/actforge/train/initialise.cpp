#include "actforge/train/initialise.h"

#include <cmath>
#include <map>

namespace actforge {

using torch::Tensor;

void set_initial_weights(Model& model, const WeightPlan& plan, std::uint64_t seed, const FileValues& file) {
  const Network& network = model.network();
  for (ModelWeight& weight : model.weights()) {
    const auto index = static_cast<std::size_t>(weight.weight - network.layer(weight.layer).weights.data());
    const bool drawn = plan.weights[weight.layer][index].distribution != nullptr;
    const bool fixed = weight.weight->role != WeightRole::kBias && !drawn && file;
    std::vector<float> values = fixed ? file(weight.layer, index) : std::vector<float>();
    if (values.empty()) values = draw_weight(plan, network, weight.layer, index, seed);
    model.set_weight(weight, values);
  }
}

void scale_by_samples(Model& model, const std::vector<Tensor>& inputs, double signal_variance) {
  const torch::NoGradGuard no_grad;
  std::map<LayerId, Tensor> kernels;
  for (const ModelWeight& weight : model.weights()) {
    const bool is_scaled = model.network().layer(weight.layer).kind->family == LayerFamily::kLinear;
    if (is_scaled && weight.weight->role == WeightRole::kKernel) kernels.emplace(weight.layer, weight.tensor);
  }
  model.walk(inputs, /*training=*/true, /*dropout_seed=*/0, [&](LayerId id, Tensor& value) {
    const auto found = kernels.find(id);
    if (found == kernels.end()) return;
    const double variance = value.var(/*unbiased=*/false).item<double>();
    if (!(variance > 0) || !std::isfinite(variance)) return;
    const double factor = std::sqrt(signal_variance / variance);
    found->second.mul_(factor);
    value = value * factor;
  });
}

}  // namespace actforge
