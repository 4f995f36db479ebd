#pragma once

#include <span>

#include "actforge/keras/call.h"

namespace actforge {

// What a class of Keras becomes. A class without a row becomes an opaque layer.
struct KerasLayerRow {
  std::string_view class_name;
  KerasHandler handler;
};

// The rows, each in the file of its family: a new class is its function and a row there.
std::span<const KerasLayerRow> keras_linear_layers();      // layers_linear.cpp
std::span<const KerasLayerRow> keras_norm_layers();        // layers_norm.cpp
std::span<const KerasLayerRow> keras_pool_layers();        // layers_pool.cpp
std::span<const KerasLayerRow> keras_shape_layers();       // layers_shape.cpp
std::span<const KerasLayerRow> keras_merge_layers();       // layers_merge.cpp
std::span<const KerasLayerRow> keras_recurrent_layers();   // layers_recurrent.cpp
std::span<const KerasLayerRow> keras_attention_layers();   // layers_attention.cpp
std::span<const KerasLayerRow> keras_activation_layers();  // activations.cpp
// Calls of keras.ops and of TensorFlow's functions.
std::span<const KerasLayerRow> keras_operation_layers();  // operations.cpp

// Layers that merge their inputs number by number; operations do too.
KerasTensors keras_merge(KerasCall& call);

}  // namespace actforge
