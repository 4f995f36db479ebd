// From either spelling of a Keras file to a KerasModel.
#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "actforge/base/error.h"
#include "actforge/keras/model.h"
#include "actforge/keras/version.h"
#include "actforge/net/graph/network.h"

namespace actforge {
namespace {

using Json = KerasJson;
constexpr std::size_t kDeepest = 32;            // models within models
constexpr std::int64_t kMostTensors = 1 << 10;  // that a call gives

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorCode::kBadInput, why); }

const Json* member(const Json& object, const char* key) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(key);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

// What an error says of where it is: "layer 'x': ...", once.
template <class Read>
auto within_layer(const std::string& name, Read read) {
  try {
    return read();
  } catch (const Error& error) {
    const std::string what = error.what();
    throw Error(error.code(), what.starts_with("layer '") ? what : "layer '" + name + "': " + what);
  }
}

// Where the file says which tensor it means: in a call of a layer, or among the model's inputs and outputs.
enum class RefPlace { kCall, kEnd };

class ModelReader {
 public:
  ModelReader(const Json& json, Json::json_pointer place, std::size_t depth, bool keras3) : json_(json), depth_(depth) {
    if (depth > kDeepest) refuse("models stand within models more than " + std::to_string(kDeepest) + " deep");
    model_.place = std::move(place);
    model_.keras3 = keras3;
  }

  KerasModel read() {
    const Json* config = member(json_, "config");
    if (config == nullptr) refuse("'config' is missing");
    const std::string class_name = keras_text(json_.at("class_name"), "class_name");
    model_.sequential = class_name == "Sequential";
    model_.name = class_name;
    Json::json_pointer place = model_.place / "config";
    const Json* layers = config;  // Keras 1 writes the list itself
    if (config->is_object()) {
      model_.name = KerasConfig(*config).text("name", class_name);
      layers = member(*config, "layers");
      place /= "layers";
    }
    if (layers == nullptr || !layers->is_array()) refuse("the model '" + model_.name + "' has no list of 'layers'");
    if (layers->size() > kMaxLayers) refuse("a network has at most " + std::to_string(kMaxLayers) + " layers");
    for (std::size_t i = 0; i < layers->size(); ++i) read_layer((*layers)[i], place / i);
    if (model_.sequential) {
      connect_sequence(*config);
    } else {
      connect_graph(*layers, *config);
    }
    order_keras_calls(model_);
    return std::move(model_);
  }

 private:
  void read_layer(const Json& json, Json::json_pointer place) {
    const std::string number = std::to_string(model_.layers.size() + 1);
    const Json* class_name = member(json, "class_name");
    if (class_name == nullptr || !class_name->is_string()) refuse("layer " + number + " has no 'class_name'");
    const Json* config = member(json, "config");
    if (config == nullptr) refuse("layer " + number + " has no 'config'");
    KerasLayer layer;
    layer.class_name = class_name->get<std::string>();
    // TensorFlow 1 wrote custom classes as Package>Name.
    layer.class_name.erase(0, layer.class_name.rfind('>') + 1);
    layer.place = std::move(place);
    layer.config = config;
    const Json* name = member(json, "name");
    if (name == nullptr) name = member(*config, "name");
    layer.name = name == nullptr ? "layer_" + number : keras_text(*name, "name");
    if (!by_name_.emplace(layer.name, model_.layers.size()).second) {
      refuse("there are two layers named '" + layer.name + "'");
    }
    within_layer(layer.name, [&] {
      if (is_keras_model(layer.class_name)) {
        layer.model = std::make_unique<KerasModel>(ModelReader(json, layer.place, depth_ + 1, model_.keras3).read());
      } else if (!config->is_object()) {
        refuse("'config' should be an object");
      }
      const Json* format = member(*config, "data_format");
      if (format != nullptr && *format == "channels_first") model_.channels_first = true;
    });
    if (layer.model != nullptr && layer.model->channels_first) model_.channels_first = true;
    model_.layers.push_back(std::move(layer));
  }

  // ---- sequential: each layer takes the one before

  void connect_sequence(const Json& config) {
    if (model_.layers.empty()) refuse("the model '" + model_.name + "' has no layers");
    if (!model_.layers[0].is_input()) {
      find_input_shape(config);
      KerasLayer input;
      input.name = model_.name + "_input";
      input.class_name = "InputLayer";
      input.place = model_.layers[0].place;
      input.config = model_.layers[0].config;
      model_.layers.insert(model_.layers.begin(), std::move(input));
    }
    for (std::size_t i = 0; i < model_.layers.size(); ++i) {
      model_.layers[i].nodes.emplace_back();
      if (i > 0) model_.layers[i].nodes[0].arguments.push_back({.tensor = KerasRef{i - 1, 0, 0}});
      if (i > 0 && model_.layers[i].is_input()) refuse("layer '" + model_.layers[i].name + "': an input in the middle");
    }
    model_.inputs = {KerasRef{0, 0, 0}};
    model_.outputs = {KerasRef{model_.layers.size() - 1, 0, 0}};
  }

  void find_input_shape(const Json& config) {
    const Json* build = member(json_, "build_config");
    const Json* first = model_.layers[0].config;
    for (const Json* shape :
         {member(*first, "batch_input_shape"), member(*first, "batch_shape"), member(config, "build_input_shape"),
          build == nullptr ? nullptr : member(*build, "input_shape")}) {
      if (shape != nullptr && model_.input_shape == nullptr) model_.input_shape = shape;
    }
    if (model_.input_shape == nullptr && model_.layers[0].model != nullptr) {
      const KerasModel& inner = *model_.layers[0].model;
      model_.input_shape = inner.input_shape;
      if (model_.input_shape == nullptr && !inner.inputs.empty()) {
        const KerasLayer& input = inner.layers[inner.inputs[0].layer];
        model_.input_shape = member(*input.config, "batch_shape");
        if (model_.input_shape == nullptr) model_.input_shape = member(*input.config, "batch_input_shape");
      }
    }
  }

  // ---- functional: each layer names what it takes

  void connect_graph(const Json& layers, const Json& config) {
    if (!config.is_object()) refuse("the model '" + model_.name + "' has no 'input_layers'");
    for (std::size_t i = 0; i < layers.size(); ++i) {
      KerasLayer& layer = model_.layers[i];
      const Json* nodes = member(layers[i], "inbound_nodes");
      if (nodes != nullptr && !nodes->is_array())
        refuse("layer '" + layer.name + "': 'inbound_nodes' should be a list");
      layer.nodes.resize(std::max<std::size_t>(nodes == nullptr ? 0 : nodes->size(), layer.is_input() ? 1 : 0));
    }
    find_first_calls(layers, config);
    for (std::size_t i = 0; i < layers.size(); ++i) {
      const Json* nodes = member(layers[i], "inbound_nodes");
      if (nodes == nullptr) continue;
      within_layer(model_.layers[i].name, [&] {
        for (std::size_t n = 0; n < nodes->size(); ++n) read_node((*nodes)[n], i, n);
      });
    }
    read_ends(config, "input_layers", model_.inputs);
    read_ends(config, "output_layers", model_.outputs);
    if (model_.outputs.empty()) refuse("the model '" + model_.name + "' has no outputs");
    for (const KerasRef& input : model_.inputs) {
      const KerasLayer& layer = model_.layers[input.layer];
      if (!layer.is_input()) refuse("layer '" + layer.name + "' is among the inputs and no InputLayer");
    }
  }

  // ---- the number of a call
  //
  // A file counts the calls of a layer from 0. Of a model that is used as a layer, Keras 1 and 2 count its construction
  // as call 0, which is not in the list, so that the calls in the list begin with 1. Only a Sequential that was built
  // without a shape has no such call 0, and may look the same in the file; since Keras writes no call that nothing
  // takes, call 0 of it is taken if and only if it exists. Keras 3 counts a functional model's calls from 1 among the
  // outputs of the outer model, and from 0 where layers take them; those of a Sequential from 0 in either place.

  void find_first_calls(const Json& layers, const Json& config) {
    for (const Json& layer : layers) {
      if (const Json* nodes = member(layer, "inbound_nodes")) find_first_calls(*nodes);
    }
    if (const Json* outputs = member(config, "output_layers")) find_first_calls(*outputs);
  }

  void find_first_calls(const Json& json) {
    if (!json.is_structured()) return;
    if (is_old_ref(json) && json[1] == 0) taken_at_zero_.insert(json[0].get<std::string>());
    for (const Json& part : json) find_first_calls(part);
  }

  std::int64_t first_call(const KerasLayer& layer, RefPlace place) const {
    if (layer.model == nullptr) return 0;
    const bool sequential = layer.model->sequential;
    if (model_.keras3) return place == RefPlace::kEnd && !sequential ? 1 : 0;
    return sequential && taken_at_zero_.contains(layer.name) ? 0 : 1;
  }

  // ---- what a call takes

  void read_node(const Json& json, std::size_t layer, std::size_t node) {
    std::vector<KerasArgument> arguments;
    const Json* args = member(json, "args");
    const Json* kwargs = member(json, "kwargs");
    if (args != nullptr || kwargs != nullptr) {
      if (args != nullptr && !args->is_array()) refuse("'args' should be a list");
      if (args != nullptr) {
        for (const Json& arg : *args) add_argument(arg, "", arguments);
      }
      add_named(kwargs, arguments);
    } else {
      add_old_node(json, arguments);
    }
    model_.layers[layer].nodes[node].arguments = std::move(arguments);
  }

  void add_named(const Json* kwargs, std::vector<KerasArgument>& arguments) {
    if (kwargs == nullptr) return;
    if (!kwargs->is_object()) refuse("the named arguments should be an object");
    for (const auto& [key, value] : kwargs->items()) {
      if (key != "mask") add_argument(value, key, arguments);
    }
  }

  // Keras 2: [["name", 0, 0, {}], ...], or ["name", 0, 0, {}] alone; a value instead of a tensor is
  // ["_CONSTANT_VALUE", -1, value, {}].
  void add_old_node(const Json& json, std::vector<KerasArgument>& arguments) {
    if (json.is_object()) {
      for (const Json& entry : json) add_old_node(entry, arguments);
      return;
    }
    if (!json.is_array()) refuse("an inbound node should be a list");
    const bool constant = json.size() >= 3 && json[0] == "_CONSTANT_VALUE";
    if (constant || is_old_ref(json)) {
      if (constant) {
        arguments.push_back({.value = &json[2]});
      } else {
        arguments.push_back({.tensor = old_ref(json, RefPlace::kCall)});
      }
      if (json.size() > 3) add_named(&json[3], arguments);
      return;
    }
    for (const Json& entry : json) add_old_node(entry, arguments);
  }

  static bool is_new_ref(const Json& json) {
    const Json* class_name = member(json, "class_name");
    return class_name != nullptr && *class_name == "__keras_tensor__";
  }
  static bool is_old_ref(const Json& json) {
    return json.is_array() && json.size() >= 3 && json[0].is_string() && json[1].is_number_integer() &&
           json[2].is_number_integer();
  }
  bool is_ref(const Json& json) const { return is_new_ref(json) || (!model_.keras3 && is_old_ref(json)); }

  bool holds_ref(const Json& json) const {
    if (is_ref(json)) return true;
    return json.is_structured() &&
           std::any_of(json.begin(), json.end(), [&](const Json& part) { return holds_ref(part); });
  }

  void add_argument(const Json& json, const std::string& key, std::vector<KerasArgument>& arguments) {
    if (is_new_ref(json)) {
      arguments.push_back({.key = key, .tensor = new_ref(json)});
    } else if (is_ref(json)) {
      arguments.push_back({.key = key, .tensor = old_ref(json, RefPlace::kCall)});
    } else if (holds_ref(json)) {
      for (const Json& part : json) add_argument(part, key, arguments);
    } else {
      arguments.push_back({.key = key, .value = &json});
    }
  }

  KerasRef new_ref(const Json& json) {
    const Json* config = member(json, "config");
    const Json* history = config == nullptr ? nullptr : member(*config, "keras_history");
    if (history == nullptr || !is_old_ref(*history))
      refuse("a tensor has no 'keras_history' of a name and two numbers");
    const KerasRef ref = old_ref(*history, RefPlace::kCall);
    std::vector<const Json*>& shapes = model_.layers[ref.layer].nodes[ref.node].shapes;
    if (shapes.size() <= ref.tensor) shapes.resize(ref.tensor + 1);
    shapes[ref.tensor] = member(*config, "shape");
    return ref;
  }

  KerasRef old_ref(const Json& json, RefPlace place) const {
    const std::string name = json[0].get<std::string>();
    const auto found = by_name_.find(name);
    if (found == by_name_.end()) refuse("it takes the layer '" + name + "', which is not in the model");
    const KerasLayer& layer = model_.layers[found->second];
    const std::int64_t node = keras_integer(json[1], "node"), tensor = keras_integer(json[2], "tensor");
    const std::int64_t first = first_call(layer, place), calls = std::ssize(layer.nodes);
    if (node < first || node - first >= calls || tensor < 0 || tensor >= kMostTensors) {
      refuse("it takes call " + std::to_string(node) + ", output " + std::to_string(tensor) + " of the layer '" + name +
             "', which is called " + std::to_string(calls) + " time(s), counted from " + std::to_string(first));
    }
    return {found->second, static_cast<std::size_t>(node - first), static_cast<std::size_t>(tensor)};
  }

  void read_ends(const Json& config, const char* key, std::vector<KerasRef>& refs) const {
    const Json* ends = member(config, key);
    if (ends == nullptr) refuse("the model '" + model_.name + "' has no '" + std::string(key) + "'");
    try {
      add_ends(*ends, refs);
    } catch (const Error& error) {
      refuse("'" + std::string(key) + "' of the model '" + model_.name + "': " + error.what());
    }
  }

  // Lists within lists, or objects; an end is ["name", 0, 0].
  void add_ends(const Json& json, std::vector<KerasRef>& refs) const {
    if (is_old_ref(json)) {
      refs.push_back(old_ref(json, RefPlace::kEnd));
    } else if (json.is_structured()) {
      for (const Json& part : json) add_ends(part, refs);
    } else {
      refuse("expected [name, number, number]");
    }
  }

  const Json& json_;
  std::size_t depth_;
  KerasModel model_;
  std::unordered_map<std::string, std::size_t> by_name_;  // in model_.layers
  std::unordered_set<std::string> taken_at_zero_;         // layers whose call 0 is taken by something
};

}  // namespace

bool is_keras_model(std::string_view class_name) {
  return class_name == "Functional" || class_name == "Model" || class_name == "Sequential";
}

KerasModel read_keras_model(const Json& file) {
  const Json* class_name = member(file, "class_name");
  if (class_name == nullptr || !class_name->is_string() || !is_keras_model(class_name->get<std::string>())) {
    refuse(
        "it is not a Keras model: its 'class_name' should be Functional, Model or Sequential; a model of another "
        "class " +
        std::string("has no layers in its JSON"));
  }
  return ModelReader(file, Json::json_pointer(), 0, is_keras3_file(file)).read();
}

}  // namespace actforge
