#include "actforge/torch/train/signal_check.h"

#include <ATen/CPUGeneratorImpl.h>

#include <cmath>
#include <numeric>

#include "actforge/net/layers/layers.h"
#include "actforge/torch/execute/threads.h"
#include "actforge/torch/train/initialise.h"

namespace actforge {
namespace {

using torch::Tensor;

// Whole numbers that every embedding of the network has a row for.
std::int64_t index_limit(const Network& network) {
  std::int64_t limit = std::int64_t{1} << 24;
  for (LayerId id = 0; id < network.layers().size(); ++id) {
    const Layer& layer = network.layer(id);
    if (layer.kind == &kEmbeddingLayer) limit = std::min(limit, network.setting(id).integer("vocabulary"));
  }
  return limit;
}

// By a generator of their own: the process's is its caller's.
std::vector<Tensor> random_inputs(const Network& network, const SignalMoments& input, std::size_t samples,
                                  std::uint64_t seed) {
  const torch::Generator generator = at::make_generator<at::CPUGeneratorImpl>(seed);
  std::vector<Tensor> inputs;
  for (LayerId id = 0; id < network.layers().size(); ++id) {
    const Layer& layer = network.layer(id);
    if (layer.kind != &kInputLayer) continue;
    std::vector<std::int64_t> extents = {static_cast<std::int64_t>(samples)};
    extents.insert(extents.end(), layer.output.shape.begin(), layer.output.shape.end());
    inputs.push_back(layer.output.indices ? torch::randint(index_limit(network), extents, generator, torch::kInt64)
                                          : torch::randn(extents, generator) * std::sqrt(input.variance) + input.mean);
  }
  return inputs;
}

// Means and mean squares of one layer's output, draw by draw.
struct DrawMoments {
  std::vector<double> means, squares;

  MeasuredSignal summary() const {
    const auto count = static_cast<double>(means.size());
    MeasuredSignal result;
    result.mean = std::accumulate(means.begin(), means.end(), 0.0) / count;
    // Around the mean of all draws: weights are part of what varies.
    std::vector<double> variances;
    variances.reserve(means.size());
    for (std::size_t i = 0; i < means.size(); ++i) {
      variances.push_back(squares[i] - 2 * means[i] * result.mean + result.mean * result.mean);
    }
    result.variance = std::accumulate(variances.begin(), variances.end(), 0.0) / count;
    double differences = 0;
    for (const double v : variances) differences += (v - result.variance) * (v - result.variance);
    result.error = std::sqrt(differences / (count - 1) / count);
    return result;
  }
};

}  // namespace

MeasuredSignals measure_signals(const Network& network, const WeightPlan& plan, const SignalMoments& input,
                                const FileValues& file, const SignalCheckOptions& options) {
  const RunContext& run = options.run;
  set_threads(run.threads);
  const torch::NoGradGuard no_grad;
  Model model(network, {.skip_opaque = true});
  std::vector<DrawMoments> sums(network.layers().size());
  for (std::size_t draw = 0; draw < options.draws; ++draw) {
    run.show("draws", draw, options.draws);
    const std::uint64_t seed = run.seed + draw;
    set_initial_weights(model, plan, seed, file);
    const std::vector<Tensor> inputs = random_inputs(network, input, options.samples, seed);
    if (options.scale_by_samples) scale_by_samples(model, plan, inputs, run);
    model.walk(inputs, /*training=*/true, /*dropout_seed=*/seed, [&](LayerId id, const Tensor& value) {
      run.check();
      if (!value.is_floating_point()) return;
      const Tensor exact = value.to(torch::kFloat64);
      sums[id].means.push_back(exact.mean().item<double>());
      sums[id].squares.push_back(exact.square().mean().item<double>());
    });
  }
  MeasuredSignals measured;
  for (const DrawMoments& sum : sums) {
    measured.push_back(sum.means.empty() ? std::nullopt : std::optional(sum.summary()));
  }
  return measured;
}

std::vector<std::vector<std::vector<float>>> weights_by_samples(const Network& network, const WeightPlan& plan,
                                                                const SignalMoments& input, const FileValues& file,
                                                                const SignalCheckOptions& options) {
  set_threads(options.run.threads);
  Model model(network, {.skip_opaque = true});
  set_initial_weights(model, plan, options.run.seed, file);
  scale_by_samples(model, plan, random_inputs(network, input, options.samples, options.run.seed), options.run);
  std::vector<std::vector<std::vector<float>>> weights(network.layers().size());
  for (const ModelWeight& weight : model.weights()) {
    weights[weight.layer].push_back(Model::weight_values(weight));
  }
  for (LayerId id = 0; id < weights.size(); ++id) {
    if (const std::optional<LayerId> owner = network.layer(id).shares) weights[id] = weights[*owner];
  }
  return weights;
}

}  // namespace actforge
