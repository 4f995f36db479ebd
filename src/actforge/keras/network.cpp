// Makes the calls of a Keras model, one after another; models within it are opened where they stand.
#include "actforge/keras/network.h"

#include <algorithm>

#include "actforge/base/error.h"
#include "actforge/keras/call.h"

namespace actforge {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorCode::kBadInput, why); }

constexpr std::int64_t kAssumedLength = 16, kAssumedSide = 32;

// Where a sequence or an image may have any size, some size is taken.
void assume_extents(KerasBuild& build, const std::string& name, Shape& shape, bool channels_first) {
  const std::size_t rank = shape.size(), channel = channels_first ? 0 : rank - 1;
  const bool sequence = rank == 1 || rank == 2;
  if (std::count(shape.begin(), shape.end(), 0) == 0) return;
  for (std::size_t k = 0; k < rank; ++k) {
    if (shape[k] != 0) continue;
    if ((rank > 1 && k == channel) || rank > 3) {
      refuse("an extent of its input is not known (None); give the model a fixed shape, such as Input((32, 32, 3))");
    }
    shape[k] = sequence ? kAssumedLength : kAssumedSide;
  }
  build.note("the input '" + name + "' may have any size; " + shape_text(shape) + " is taken");
}

// From [null, 32, 32, 3]; an extent that is not known is 0.
Shape read_input_shape(const KerasJson* json) {
  if (json == nullptr) refuse("the shape of its input is not known; build the model, or give it an Input layer");
  // Keras 2 writes the shape of a single input in a list of its own at times.
  if (json->is_array() && json->size() == 1 && (*json)[0].is_array()) json = &(*json)[0];
  if (!json->is_array() || json->empty() || json->size() > kMaxRank + 1) {
    refuse("its shape should be a list of a batch and at most eight extents");
  }
  Shape shape;
  for (std::size_t i = 1; i < json->size(); ++i) {
    const KerasJson& extent = (*json)[i];
    shape.push_back(extent.is_null() ? 0 : keras_integer(extent, "shape"));
    if (!extent.is_null() && shape.back() < 1) refuse("its shape has an extent that is not positive");
  }
  if (shape.empty()) shape.push_back(1);
  return shape;
}

class ModelImport {
 public:
  ModelImport(KerasBuild& build, std::size_t& work) : build_(build), work_(work) {}

  // Inputs that are not given become inputs of the network.
  KerasTensors run(const KerasModel& model, const std::string& prefix, const KerasTensors& inputs) {
    count_work(model.layers.size() + model.order.size());
    std::vector<std::vector<KerasTensors>> results(model.layers.size());
    for (std::size_t i = 0; i < model.layers.size(); ++i) results[i].resize(model.layers[i].nodes.size());
    for (std::size_t i = 0; i < inputs.size(); ++i) results[model.inputs[i].layer][0] = {inputs[i]};
    for (const auto& [layer, node] : model.order) {
      if (!results[layer][node].empty()) continue;
      count_work(model.layers[layer].nodes[node].arguments.size());
      try {
        results[layer][node] = make_call(model, layer, node, prefix, results);
      } catch (const Error& error) {
        const std::string what = error.what();
        if (what.starts_with("layer '")) throw;
        refuse("layer '" + prefix + model.layers[layer].name + "' (" + model.layers[layer].class_name + "): " + what);
      }
    }
    KerasTensors outputs;
    for (const KerasRef& ref : model.outputs) outputs.push_back(result(model, ref, results));
    return outputs;
  }

 private:
  using Results = std::vector<std::vector<KerasTensors>>;

  // Models of models of models can be many times as large as their file.
  void count_work(std::size_t work) {
    constexpr std::size_t kMost = 20 * kMaxLayers;
    work_ += work;
    if (work_ > kMost) refuse("the model is too large: its layers are called with more than 2000000 values");
  }

  static const KerasTensor& result(const KerasModel& model, const KerasRef& ref, const Results& results) {
    const KerasTensors& tensors = results[ref.layer][ref.node];
    if (ref.tensor >= tensors.size()) {
      refuse("layer '" + model.layers[ref.layer].name + "' (" + model.layers[ref.layer].class_name +
             ") has no output " + std::to_string(ref.tensor) + " that is known here");
    }
    return tensors[ref.tensor];
  }

  KerasTensors make_call(const KerasModel& model, std::size_t index, std::size_t node, const std::string& prefix,
                         const Results& results) {
    const KerasLayer& layer = model.layers[index];
    std::string name = prefix + layer.name;
    if (node > 0) name += "/call_" + std::to_string(node + 1);
    if (layer.is_input()) return {add_input(model, index, name)};
    std::vector<KerasOperand> operands;
    KerasTensors inputs;
    for (const KerasArgument& argument : layer.nodes[node].arguments) {
      operands.push_back({.key = argument.key, .value = argument.value});
      if (!argument.tensor) continue;
      inputs.push_back(result(model, *argument.tensor, results));
      operands.back().tensor = inputs.back();
    }
    if (layer.model != nullptr) {
      if (inputs.size() != layer.model->inputs.size()) {
        refuse("the model takes " + std::to_string(layer.model->inputs.size()) + " input(s), not " +
               std::to_string(inputs.size()));
      }
      return run(*layer.model, name + "/", inputs);
    }
    build_.begin_call(layer);
    KerasCall call = {.build = build_,
                      .model = model,
                      .node = layer.nodes[node],
                      .class_name = layer.class_name,
                      .config = KerasConfig(*layer.config),
                      .config_place = layer.place / "config",
                      .name = name,
                      .inputs = std::move(inputs),
                      .operands = std::move(operands)};
    KerasTensors outputs = add_layers(call);
    check_shape(call, outputs.at(0));
    build_.set_output(outputs[0], {&model, &layer, node, keras_shape(build_, outputs[0])});
    return outputs;
  }

  KerasTensors add_layers(KerasCall& call) {
    constexpr std::string_view kTakeIndices[] = {"Embedding", "Reshape", "Flatten", "Permute",
                                                 "ActivityRegularization"};
    const bool indices = std::any_of(call.inputs.begin(), call.inputs.end(),
                                     [&](const KerasTensor& tensor) { return build_.signal(tensor.layer).indices; });
    const KerasHandler handler = find_keras_layer(call.class_name);
    if (handler == nullptr) return unknown_keras_layer(call);
    if (indices &&
        std::find(std::begin(kTakeIndices), std::end(kTakeIndices), call.class_name) == std::end(kTakeIndices)) {
      return keras_opaque(call,
                          "computes with the numbers of an input that is looked up in a table, which is not modelled");
    }
    return handler(call);
  }

  // Keras 3 says the shapes that it found itself.
  void check_shape(const KerasCall& call, const KerasTensor& output) {
    if (call.node.shapes.empty() || call.node.shapes[0] == nullptr) return;
    const KerasJson& told = *call.node.shapes[0];
    const Shape shape = keras_shape(build_, output);
    bool same = told.is_array() && told.size() == shape.size() + 1;
    for (std::size_t k = 0; same && k < shape.size(); ++k) {
      same = told[k + 1].is_null() || (told[k + 1].is_number_integer() && told[k + 1] == shape[k]);
    }
    // A call that gives one number for each sample has no extents in Keras.
    if (same || (told.is_array() && told.size() == 1 && shape == Shape{1})) return;
    build_.note("layer '" + call.name + "' gives " + shape_text(shape) +
                "; the file says another shape: " + told.dump().substr(0, 60));
  }

  KerasTensor add_input(const KerasModel& model, std::size_t index, const std::string& name) {
    const KerasConfig config(*model.layers[index].config);
    const KerasJson* json = config.find("batch_shape");
    if (json == nullptr) json = config.find("batch_input_shape");
    if (json == nullptr) json = model.input_shape;
    Shape shape = read_input_shape(json);
    const bool indices = model.indices[index];
    assume_extents(build_, name, shape, model.channels_first && !indices);
    const std::size_t rank = shape.size();
    if (rank >= 3 && !indices && !model.channels_first) {
      Shape first(shape);
      std::rotate(first.begin(), first.end() - 1, first.end());
      return {build_.add("input", {}, {{"shape", first}}, name), first_axes(rank, rank - 1)};
    }
    const bool last = rank > 1 && (indices || !model.channels_first);
    return {build_.add("input", {}, {{"shape", shape}, {"indices", indices}, {"channels_last", last}}, name),
            same_axes(rank)};
  }

  KerasBuild& build_;
  std::size_t& work_;
};

}  // namespace

std::vector<KerasTensor> add_keras_model(KerasBuild& build, const KerasModel& model) {
  std::size_t work = 0;
  return ModelImport(build, work).run(model, "", {});
}

}  // namespace actforge
