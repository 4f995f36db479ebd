#include "actforge/torch/execute/model.h"

#include <ATen/CPUGeneratorImpl.h>

#include <algorithm>

#include "actforge/base/error.h"
#include "actforge/net/layers/layers.h"

namespace actforge {
namespace {

using torch::Tensor;

// Kernels of images lie in memory as the images do, so that LibTorch need not reorder either.
torch::MemoryFormat memory_format(const ModelOptions& options, std::size_t rank) {
  if (!options.channels_last || rank < 4) return torch::MemoryFormat::Contiguous;
  return rank == 4 ? torch::MemoryFormat::ChannelsLast : torch::MemoryFormat::ChannelsLast3d;
}

Tensor make_weight(const Weight& weight, const ModelOptions& options) {
  const auto settings = torch::TensorOptions().dtype(options.type).device(options.device);
  Tensor tensor = torch::zeros(weight.shape, settings);
  if (weight.role == WeightRole::kKernel) {
    tensor = tensor.contiguous(memory_format(options, weight.shape.size()));
  }
  return tensor.set_requires_grad(is_learned(weight.role));
}

}  // namespace

Model::Model(const Network& network, const ModelOptions& options) : network_(network), options_(options) {
  const auto layers = network_.layers();
  last_use_.resize(layers.size());
  for (LayerId id = 0; id < layers.size(); ++id) {
    const Layer& layer = layers[id];
    const bool skipped = options.skip_opaque && layer.kind == &kOpaqueLayer;
    functions_.push_back(skipped ? LayerFunction() : make_layer(network_.setting(id), options.backend));
    first_weight_.push_back(layer.shares ? first_weight_[*layer.shares] : weights_.size());
    for (const Weight& weight : layer.weights) {
      if (layer.shares) break;
      weights_.push_back({id, layer.name + "." + weight.name, &weight, make_weight(weight, options)});
    }
    last_use_[id] = id;
    for (const LayerId input : layer.inputs) last_use_[input] = id;
    has_dropout_ = has_dropout_ || layer.kind->family == LayerFamily::kDropout;
  }
  logits_ = network_.outputs()[0];
  if (layers[logits_].kind == &kSoftmaxLayer) logits_ = layers[logits_].inputs[0];
}

void Model::set_weight(ModelWeight& weight, std::span<const float> values) {
  if (static_cast<std::int64_t>(values.size()) != weight.tensor.numel()) {
    throw Error(ErrorCode::kBadInput, "'" + weight.name + "' has " + std::to_string(weight.tensor.numel()) +
                                          " numbers, " + std::to_string(values.size()) + " were given");
  }
  const torch::NoGradGuard no_grad;
  // Only read: copy_ takes what it needs.
  const Tensor given = torch::from_blob(const_cast<float*>(values.data()), weight.weight->shape, torch::kFloat32);
  weight.tensor.copy_(given);
}

std::vector<float> Model::weight_values(const ModelWeight& weight) {
  const Tensor values = weight.tensor.detach().to(torch::kCPU, torch::kFloat32).contiguous();
  const float* begin = values.data_ptr<float>();
  return {begin, begin + values.numel()};
}

Tensor Model::forward(const std::vector<Tensor>& inputs, LayerId wanted, bool training,
                      std::uint64_t dropout_seed) const {
  return run(inputs, wanted, training, dropout_seed, nullptr);
}

void Model::walk(const std::vector<Tensor>& inputs, bool training, std::uint64_t dropout_seed,
                 const Visit& visit) const {
  run(inputs, static_cast<LayerId>(network_.layers().size() - 1), training, dropout_seed, &visit);
}

Tensor Model::run(const std::vector<Tensor>& inputs, LayerId wanted, bool training, std::uint64_t dropout_seed,
                  const Visit* visit) const {
  std::vector<Tensor> values(wanted + 1);
  std::vector<Tensor> arguments, weights;
  // A generator costs some microseconds: not every network needs one.
  const torch::Generator generator =
      training && has_dropout_ ? at::make_generator<at::CPUGeneratorImpl>(dropout_seed) : torch::Generator();
  std::size_t next_input = 0;
  for (LayerId id = 0; id <= wanted; ++id) {
    const Layer& layer = network_.layer(id);
    if (layer.kind == &kInputLayer) {
      if (next_input == inputs.size()) throw Error(ErrorCode::kBadInput, "the network has more inputs than were given");
      values[id] = inputs[next_input++];
      if (visit != nullptr) (*visit)(id, values[id]);
      continue;
    }
    const bool is_known = functions_[id] && std::all_of(layer.inputs.begin(), layer.inputs.end(),
                                                        [&](LayerId input) { return values[input].defined(); });
    if (!is_known) continue;
    arguments.clear();
    for (const LayerId input : layer.inputs) arguments.push_back(values[input]);
    weights.clear();
    for (std::size_t i = 0; i < layer.weights.size(); ++i) weights.push_back(weights_[first_weight_[id] + i].tensor);
    values[id] = functions_[id]({arguments, weights, training, generator});
    if (visit != nullptr) (*visit)(id, values[id]);
    for (const LayerId input : layer.inputs) {
      if (last_use_[input] == id) values[input].reset();
    }
  }
  return values[wanted];
}

}  // namespace actforge
