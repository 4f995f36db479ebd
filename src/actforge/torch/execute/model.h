#pragma once

#include <functional>
#include <string>
#include <vector>

#include "actforge/net/graph/network.h"
#include "actforge/torch/execute/layer_call.h"
#include "actforge/torch/execute/libtorch.h"

namespace actforge {

struct ModelOptions {
  ActivationBackend backend = ActivationBackend::kFused;
  bool channels_last = true;
  torch::Device device = torch::kCPU;
  torch::ScalarType type = torch::kFloat32;
  bool skip_opaque = false;  // layers that cannot be executed have no value, nor have those after them
};

// A weight of a model: where it belongs, and its numbers.
struct ModelWeight {
  LayerId layer;
  std::string name;  // "conv_1.kernel"
  const Weight* weight;
  torch::Tensor tensor;
};

// A network that LibTorch executes. Weights are zero until they are set.
class Model {
 public:
  explicit Model(const Network& network, const ModelOptions& options = {});
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  const Network& network() const { return network_; }
  std::vector<ModelWeight>& weights() { return weights_; }
  // Copies numbers in the order of Weight::shape, or out of it. Throws Error (kBadInput) where the count differs.
  void set_weight(ModelWeight& weight, std::span<const float> values);
  static std::vector<float> weight_values(const ModelWeight& weight);

  // The value of a layer for a batch; one tensor per input layer, [N, sample...]. `dropout_seed` decides what dropout
  // drops while training.
  torch::Tensor forward(const std::vector<torch::Tensor>& inputs, LayerId layer, bool training,
                        std::uint64_t dropout_seed = 0) const;

  // Computes all layers, and shows each value, which may be changed before others see it. Values that cannot be
  // computed are left out.
  using Visit = std::function<void(LayerId layer, torch::Tensor& value)>;
  void walk(const std::vector<torch::Tensor>& inputs, bool training, std::uint64_t dropout_seed,
            const Visit& visit) const;

  // The first output; what its softmax takes, where it ends with one, so that a loss can be computed in logarithms.
  LayerId logits() const { return logits_; }

 private:
  torch::Tensor run(const std::vector<torch::Tensor>& inputs, LayerId wanted, bool training, std::uint64_t dropout_seed,
                    const Visit* visit) const;

  Network network_;
  ModelOptions options_;
  std::vector<LayerFunction> functions_;  // one per layer; none for inputs
  std::vector<ModelWeight> weights_;
  std::vector<std::size_t> first_weight_;  // of each layer, in weights_; where it shares them, those of the other
  std::vector<LayerId> last_use_;          // after which a layer's value is not needed
  bool has_dropout_ = false;
  LayerId logits_ = 0;
};

}  // namespace actforge
