#pragma once

#include "actforge/keras/build.h"

namespace actforge {

// What a call was given, in order: a tensor or a value of the file.
struct KerasOperand {
  std::string key = {};  // empty: by its place
  std::optional<KerasTensor> tensor = {};
  const KerasJson* value = nullptr;
};

using KerasTensors = std::vector<KerasTensor>;

// One call of a Keras layer, on its way into the network.
struct KerasCall {
  KerasBuild& build;
  const KerasModel& model;
  const KerasNode& node;
  std::string class_name;
  KerasConfig config;
  KerasJson::json_pointer config_place;
  std::string name;  // of the network's layers: this, or this and a suffix
  KerasTensors inputs;
  std::vector<KerasOperand> operands;  // the inputs again, and the values among them

  bool keras3() const { return model.keras3; }
  // The only input, or the first one. Throws Error (kBadInput) where there is none.
  const KerasTensor& input() const;
  std::size_t rank() const { return input().axes.size(); }
  Shape shape() const { return keras_shape(build, input()); }

  // Adds `name` or `name/suffix`. Places are those of the weights; their `config` is filled in.
  LayerId add(std::string_view kind, const KerasTensors& tensors, const Attributes& attributes = {},
              std::string_view suffix = {}, std::vector<KerasWeightEntry> places = {});
  // The same for a layer that leaves the extents where they are.
  KerasTensor add_same(std::string_view kind, const KerasTensor& tensor, const Attributes& attributes = {},
                       std::string_view suffix = {}, std::vector<KerasWeightEntry> places = {});
  // A note that begins with the name.
  void note(const std::string& what) { build.note("layer '" + name + "' " + what); }

  // From an axis of the file, which counts the batch and may be negative. Throws Error (kBadInput).
  std::size_t axis(std::int64_t keras_axis, std::size_t rank) const;
  // Keras' axis of the channels by the setting data_format.
  std::size_t channel_axis(std::size_t rank) const;
  // The input with that axis as its channels, where they are, at the front, or at the end with Keras' order.
  KerasTensor with_channels(const KerasTensor& tensor, std::size_t channel) const;
  KerasTensor channels_first(const KerasTensor& tensor, std::size_t channel) const;
  KerasTensor in_keras_order(const KerasTensor& tensor) const;

  // A setting, from the settings or from the named values of the call; null where there is none.
  const KerasJson* setting(std::string_view key) const;
  // The value given at that place, after the tensor, or by that key; null where there is none.
  const KerasJson* value(std::size_t place, std::string_view key) const;
};

// A layer that is not known here; its shape is the one that the file says, or `shape` (in Keras' order), or that of its
// first input. The reason ends a note on it.
KerasTensors keras_opaque(KerasCall& call, const std::string& reason, std::optional<Shape> shape = {});
KerasTensors unknown_keras_layer(KerasCall& call);

// Adds the network's layers for a call, and gives what it returns.
using KerasHandler = KerasTensors (*)(KerasCall& call);
// Null for a class that is not known.
KerasHandler find_keras_layer(std::string_view class_name);

}  // namespace actforge
