#pragma once

#include "actforge/net/keras_call.h"

// What each class of Keras becomes, by the file that defines it. A new one is a function there, a line here and a row
// in keras_layer_table.cpp; the activations are in keras_activations.h.
namespace actforge {

// keras_layers_linear.cpp
KerasTensors keras_dense(KerasCall& call);
KerasTensors keras_conv(KerasCall& call);
KerasTensors keras_depthwise_conv(KerasCall& call);
KerasTensors keras_separable_conv(KerasCall& call);
KerasTensors keras_transposed_conv(KerasCall& call);
KerasTensors keras_embedding(KerasCall& call);
// keras_layers_norm.cpp
KerasTensors keras_batch_norm(KerasCall& call);
KerasTensors keras_layer_norm(KerasCall& call);
KerasTensors keras_group_norm(KerasCall& call);
KerasTensors keras_dropout(KerasCall& call);
KerasTensors keras_spatial_dropout(KerasCall& call);
KerasTensors keras_noise(KerasCall& call);
KerasTensors keras_identity(KerasCall& call);
// keras_layers_pool.cpp
KerasTensors keras_pool(KerasCall& call);
KerasTensors keras_global_pool(KerasCall& call);
KerasTensors keras_zero_padding(KerasCall& call);
KerasTensors keras_cropping(KerasCall& call);
KerasTensors keras_up_sampling(KerasCall& call);
// keras_layers_shape.cpp
KerasTensors keras_flatten(KerasCall& call);
KerasTensors keras_reshape(KerasCall& call);
KerasTensors keras_permute(KerasCall& call);
KerasTensors keras_repeat_vector(KerasCall& call);
KerasTensors keras_resizing(KerasCall& call);
// keras_layers_merge.cpp
KerasTensors keras_merge(KerasCall& call);
KerasTensors keras_concatenate(KerasCall& call);
KerasTensors keras_dot(KerasCall& call);
// keras_layers_recurrent.cpp
KerasTensors keras_recurrent(KerasCall& call);
KerasTensors keras_bidirectional(KerasCall& call);
KerasTensors keras_time_distributed(KerasCall& call);
// keras_layers_attention.cpp
KerasTensors keras_multi_head_attention(KerasCall& call);
KerasTensors keras_attention(KerasCall& call);
// keras_operations.cpp: calls of keras.ops and of TensorFlow's functions
KerasTensors keras_arithmetic(KerasCall& call);
KerasTensors keras_matmul(KerasCall& call);
KerasTensors keras_reduce(KerasCall& call);
KerasTensors keras_transpose(KerasCall& call);
KerasTensors keras_expand_dims(KerasCall& call);
KerasTensors keras_squeeze(KerasCall& call);
KerasTensors keras_get_item(KerasCall& call);
KerasTensors keras_clip(KerasCall& call);
KerasTensors keras_tensorflow_function(KerasCall& call);

}  // namespace actforge
