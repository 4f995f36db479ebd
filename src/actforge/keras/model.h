#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "actforge/keras/config.h"

// A Keras model as its file has it, in one form for both spellings: layers, and the calls that were made of them. It
// points into the parsed JSON, which must outlive it.
namespace actforge {

// One of the tensors that a call of a layer gives.
struct KerasRef {
  std::size_t layer = 0;   // in KerasModel::layers
  std::size_t node = 0;    // which call of it
  std::size_t tensor = 0;  // which of its outputs
};

// What a call was given: a tensor, or a value of the file.
struct KerasArgument {
  std::string key = {};  // empty: by its place
  std::optional<KerasRef> tensor = {};
  const KerasJson* value = nullptr;
};

struct KerasNode {
  std::vector<KerasArgument> arguments = {};
  std::vector<const KerasJson*> shapes = {};  // of its outputs, where the file says them; may be null or missing
};

struct KerasModel;

struct KerasLayer {
  std::string name = {};
  std::string class_name = {};
  const KerasJson* config = nullptr;
  KerasJson::json_pointer place = KerasJson::json_pointer();  // of the layer's object in the file
  std::vector<KerasNode> nodes = {};                          // one for each call
  std::unique_ptr<KerasModel> model = {};                     // of a model that is used as a layer
  bool is_input() const { return class_name == "InputLayer"; }
};

struct KerasModel {
  std::string name = {};
  KerasJson::json_pointer place = KerasJson::json_pointer();  // of the model's object in the file
  bool sequential = false;
  bool keras3 = false;
  bool channels_first = false;  // some layer of it counts the channels first
  std::vector<KerasLayer> layers = {};
  std::vector<KerasRef> inputs = {}, outputs = {};
  // Calls, as layer and node, each after those that it needs.
  std::vector<std::pair<std::size_t, std::size_t>> order = {};
  // Layers of class InputLayer whose numbers are looked up in an embedding.
  std::vector<bool> indices = {};
  // Of a sequential model without an InputLayer, where the file says it: with the batch.
  const KerasJson* input_shape = nullptr;
};

// Whether a class_name is that of a model: a layer that holds layers.
bool is_keras_model(std::string_view class_name);

// Reads the model at `place` of a file. Throws Error (kBadInput) that names the layer.
KerasModel read_keras_model(const KerasJson& file);

// Fills `order` and `indices`. Throws Error (kBadInput) if the calls have a cycle.
void order_keras_calls(KerasModel& model);

}  // namespace actforge
