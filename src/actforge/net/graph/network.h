#pragma once

#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "actforge/net/graph/layer_kind.h"

namespace actforge {

using LayerId = std::uint32_t;

struct Layer {
  std::string name = {};
  const LayerKind* kind = nullptr;
  std::vector<LayerId> inputs = {};
  std::vector<AttributeValue> attributes = {};  // one per row of the kind
  Signal output = {};
  std::vector<Weight> weights = {};
  std::optional<LayerId> shares = {};  // the layer whose weights are also those of this one

  // A layer that shares the weights of another one has none of its own.
  std::int64_t weight_count() const;     // kernels, biases, embeddings
  std::int64_t parameter_count() const;  // everything that is learned
};

// Whether it is an activation whose function may be replaced; those of gates are `fixed`.
bool takes_functions(const Layer& layer);

inline constexpr std::size_t kMaxLayers = 100'000;

// A graph of layers in an order in which each comes after its inputs, with all shapes known. Made by a NetworkBuilder;
// afterwards only the functions of its activations change.
class Network {
 public:
  const std::string& name() const { return name_; }
  std::span<const Layer> layers() const { return layers_; }
  const Layer& layer(LayerId id) const { return layers_[id]; }
  std::span<const LayerId> outputs() const { return outputs_; }
  LayerSetting setting(LayerId id) const;

  std::int64_t weight_count() const;
  std::int64_t parameter_count() const;

  // Puts `function` into every activation that is not fixed and whose name matches the pattern, in which * stands for
  // any characters and ? for one. Throws Error (kBadInput) where none does.
  void set_activation(const Expr& function, std::string_view pattern = "*");
  void set_function(LayerId activation, const Expr& function);
  // How many activation layers would take it.
  std::size_t activation_count(std::string_view pattern = "*") const;

 private:
  friend class NetworkBuilder;
  LayerSetting setting(const Layer& layer) const;

  std::string name_;
  std::vector<Layer> layers_;
  std::vector<LayerId> outputs_;
};

using Attributes = std::vector<std::pair<std::string, AttributeValue>>;

// Adds layers, each after its inputs; shapes are inferred at once. Every error names the layer, and leaves the builder
// as it was. Throws Error (kBadInput).
class NetworkBuilder {
 public:
  explicit NetworkBuilder(std::string name);

  // An empty name becomes the kind and a number: conv_3. `shares` names an earlier layer of the same kind and weights.
  LayerId add(std::string_view kind, const std::vector<LayerId>& inputs, const Attributes& attributes = {},
              std::string name = {}, std::optional<LayerId> shares = {});
  LayerId find(std::string_view name) const;
  const Signal& signal(LayerId id) const { return network_.layers_[id].output; }
  const std::vector<Weight>& weights(LayerId id) const { return network_.layers_[id].weights; }
  // The output layers; every other layer must lead to one of them.
  Network finish(const std::vector<LayerId>& outputs);

 private:
  Layer make_layer(std::string_view kind, const std::vector<LayerId>& inputs, const Attributes& attributes) const;
  void share_weights(Layer& layer, LayerId with) const;
  void check_id(LayerId id) const;

  Network network_;
  std::map<std::string, LayerId, std::less<>> by_name_;
  std::map<std::string, int, std::less<>> counts_;
};

// * stands for any characters, ? for one.
bool matches_pattern(std::string_view text, std::string_view pattern);

}  // namespace actforge
