#pragma once

#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

#include "actforge/keras/model.h"
#include "actforge/net/graph/network.h"

// From the calls of a Keras model to the layers of a network.
namespace actforge {

// A tensor of Keras as a signal of the network. Keras counts the channels last as a rule and the network first; which
// extent is which goes along.
struct KerasTensor {
  LayerId layer = 0;
  std::vector<std::size_t> axes = {};  // axes[k]: the extent of the signal that is Keras' axis k, without the batch
};

// Where the file says how a weight is drawn.
struct KerasWeightEntry {
  std::string weight;     // of the network's layer: "kernel"
  std::string key;        // in the settings: "kernel_initializer"
  std::int64_t last = 1;  // the last extent of the weight in Keras
  KerasJson::json_pointer config = KerasJson::json_pointer();
};

// The call of a Keras layer whose first output a network layer is.
struct KerasOutputEntry {
  const KerasModel* model = nullptr;
  const KerasLayer* layer = nullptr;
  std::size_t node = 0;
  Shape shape = {};  // in the order of Keras, without the batch
};

// Where each layer of the finished network comes from.
struct KerasOrigin {
  std::vector<KerasWeightEntry> weights = {};
  std::vector<KerasOutputEntry> outputs = {};
};

// Layers are kept until the end, when it is known which of them lead to an output.
class KerasBuild {
 public:
  explicit KerasBuild(const std::string& name);

  // `name` is made a good and a new one. The weights are those of the same layer's first call, where there was one.
  LayerId add(std::string_view kind, const std::vector<LayerId>& inputs, const Attributes& attributes,
              const std::string& name, std::vector<KerasWeightEntry> places = {});
  const Signal& signal(LayerId id) const { return builder_.signal(id); }
  void note(const std::string& sentence);

  // A new call of this layer begins: what add() makes shares the weights of the first one, in the same order.
  void begin_call(const KerasLayer& layer);

  // The same numbers with Keras' axes at these extents, and the channels along Keras' axis `channel`.
  KerasTensor arranged(const KerasTensor& tensor, const std::vector<std::size_t>& axes, std::size_t channel);

  void set_output(const KerasTensor& tensor, KerasOutputEntry place);
  Network finish(const std::vector<KerasTensor>& outputs);
  std::vector<KerasOrigin> take_origins() { return std::move(origins_); }
  std::vector<std::string> take_notes() { return std::move(notes_); }

 private:
  struct Made {
    std::string_view kind;
    std::vector<LayerId> inputs;
    Attributes attributes;
    std::string name;
    std::optional<LayerId> shares;
    KerasOrigin origin;
  };
  std::string new_name(const std::string& wanted);
  std::vector<bool> used_layers(const std::vector<LayerId>& outputs) const;

  NetworkBuilder builder_;
  std::string network_name_;
  std::vector<Made> made_;
  std::vector<std::string> notes_;
  std::set<std::string> known_notes_;
  std::vector<KerasOrigin> origins_;
  std::unordered_map<std::string, std::size_t> names_;  // with how many others wanted each
  std::map<std::tuple<LayerId, std::vector<std::size_t>, std::size_t>, LayerId> arranged_;
  std::unordered_map<const KerasLayer*, std::vector<LayerId>> first_calls_;
  const KerasLayer* calling_ = nullptr;
  bool first_call_ = true;
  std::size_t weighted_ = 0;  // layers with weights of this call so far
};

// A name that a network takes: other characters become _, a long one keeps its end.
std::string network_name(const std::string& keras_name);

// Keras' shape of a tensor, without the batch.
Shape keras_shape(const KerasBuild& build, const KerasTensor& tensor);
// Keras' axis that counts the channels of the signal.
std::size_t keras_channel_axis(const KerasBuild& build, const KerasTensor& tensor);
// Keras' axes in their own order, and with axis `channel` first.
std::vector<std::size_t> same_axes(std::size_t rank);
std::vector<std::size_t> first_axes(std::size_t rank, std::size_t channel);

}  // namespace actforge
