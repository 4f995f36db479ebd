#include <unordered_map>

#include "actforge/net/keras_activations.h"
#include "actforge/net/keras_layers.h"

namespace actforge {
namespace {

struct LayerRow {
  std::string_view class_name;
  KerasHandler handler;
};

// A class that is not here becomes an opaque layer.
constexpr LayerRow kLayers[] = {
    {"Dense", keras_dense},
    {"Conv1D", keras_conv},
    {"Conv2D", keras_conv},
    {"Conv3D", keras_conv},
    {"DepthwiseConv1D", keras_depthwise_conv},
    {"DepthwiseConv2D", keras_depthwise_conv},
    {"SeparableConv1D", keras_separable_conv},
    {"SeparableConv2D", keras_separable_conv},
    {"Conv1DTranspose", keras_transposed_conv},
    {"Conv2DTranspose", keras_transposed_conv},
    {"Conv3DTranspose", keras_transposed_conv},
    {"Embedding", keras_embedding},

    {"Activation", keras_activation},
    {"ReLU", keras_relu},
    {"LeakyReLU", keras_leaky_relu},
    {"PReLU", keras_prelu},
    {"ELU", keras_elu},
    {"ThresholdedReLU", keras_thresholded_relu},
    {"Softmax", keras_softmax},
    {"Rescaling", keras_rescaling},

    {"BatchNormalization", keras_batch_norm},
    {"SyncBatchNormalization", keras_batch_norm},
    {"LayerNormalization", keras_layer_norm},
    {"GroupNormalization", keras_group_norm},
    {"Dropout", keras_dropout},
    {"SpatialDropout1D", keras_spatial_dropout},
    {"SpatialDropout2D", keras_spatial_dropout},
    {"SpatialDropout3D", keras_spatial_dropout},
    {"GaussianNoise", keras_noise},
    {"GaussianDropout", keras_noise},
    {"AlphaDropout", keras_noise},
    {"ActivityRegularization", keras_identity},
    {"Masking", keras_identity},
    {"Identity", keras_identity},

    {"MaxPooling1D", keras_pool},
    {"MaxPooling2D", keras_pool},
    {"MaxPooling3D", keras_pool},
    {"AveragePooling1D", keras_pool},
    {"AveragePooling2D", keras_pool},
    {"AveragePooling3D", keras_pool},
    {"GlobalMaxPooling1D", keras_global_pool},
    {"GlobalMaxPooling2D", keras_global_pool},
    {"GlobalMaxPooling3D", keras_global_pool},
    {"GlobalAveragePooling1D", keras_global_pool},
    {"GlobalAveragePooling2D", keras_global_pool},
    {"GlobalAveragePooling3D", keras_global_pool},
    {"ZeroPadding1D", keras_zero_padding},
    {"ZeroPadding2D", keras_zero_padding},
    {"ZeroPadding3D", keras_zero_padding},
    {"Cropping1D", keras_cropping},
    {"Cropping2D", keras_cropping},
    {"Cropping3D", keras_cropping},
    {"UpSampling1D", keras_up_sampling},
    {"UpSampling2D", keras_up_sampling},
    {"UpSampling3D", keras_up_sampling},

    {"Flatten", keras_flatten},
    {"Reshape", keras_reshape},
    {"Permute", keras_permute},
    {"RepeatVector", keras_repeat_vector},
    {"Resizing", keras_resizing},
    {"CenterCrop", keras_resizing},
    {"RandomCrop", keras_resizing},

    {"Add", keras_arithmetic},
    {"Subtract", keras_arithmetic},
    {"Multiply", keras_arithmetic},
    {"Average", keras_merge},
    {"Maximum", keras_arithmetic},
    {"Minimum", keras_arithmetic},
    {"Concatenate", keras_concatenate},
    {"Dot", keras_dot},

    {"LSTM", keras_recurrent},
    {"GRU", keras_recurrent},
    {"SimpleRNN", keras_recurrent},
    {"Bidirectional", keras_bidirectional},
    {"TimeDistributed", keras_time_distributed},
    {"MultiHeadAttention", keras_multi_head_attention},
    {"Attention", keras_attention},
    {"AdditiveAttention", keras_attention},

    // Operations: keras.ops of Keras 3, and by their function the TensorFlow ones of Keras 2.
    {"TFOpLambda", keras_tensorflow_function},
    {"SlicingOpLambda", keras_tensorflow_function},
    {"Divide", keras_arithmetic},
    {"TrueDivide", keras_arithmetic},
    {"Power", keras_arithmetic},
    {"Matmul", keras_matmul},
    {"Mean", keras_reduce},
    {"Sum", keras_reduce},
    {"Transpose", keras_transpose},
    {"ExpandDims", keras_expand_dims},
    {"Squeeze", keras_squeeze},
    {"GetItem", keras_get_item},
    {"Clip", keras_clip},
    {"Cast", keras_identity},
    {"StopGradient", keras_identity},
    {"Relu", keras_named_function},
    {"Relu6", keras_named_function},
    {"LeakyRelu", keras_named_function},
    {"Elu", keras_named_function},
    {"Celu", keras_named_function},
    {"Selu", keras_named_function},
    {"Gelu", keras_named_function},
    {"Silu", keras_named_function},
    {"HardSilu", keras_named_function},
    {"HardSigmoid", keras_named_function},
    {"HardTanh", keras_named_function},
    {"LogSigmoid", keras_named_function},
    {"Mish", keras_named_function},
    {"Sigmoid", keras_named_function},
    {"Softplus", keras_named_function},
    {"Softsign", keras_named_function},
    {"Squareplus", keras_named_function},
    {"SoftShrink", keras_named_function},
    {"HardShrink", keras_named_function},
    {"TanhShrink", keras_named_function},
    {"SparseSigmoid", keras_named_function},
    {"Tanh", keras_named_function},
    {"Exp", keras_named_function},
    {"Expm1", keras_named_function},
    {"Square", keras_named_function},
    {"Sqrt", keras_named_function},
    {"Abs", keras_named_function},
    {"Absolute", keras_named_function},
    {"Negative", keras_named_function},
    {"Reciprocal", keras_named_function},
    {"Sin", keras_named_function},
    {"Cos", keras_named_function},
    {"Sinh", keras_named_function},
    {"Cosh", keras_named_function},
    {"Erf", keras_named_function},
    {"Arcsinh", keras_named_function},
    {"Arctan", keras_named_function},
};

}  // namespace

KerasHandler find_keras_layer(std::string_view class_name) {
  static const auto kByName = [] {
    std::unordered_map<std::string_view, KerasHandler> rows;
    for (const LayerRow& row : kLayers) rows.emplace(row.class_name, row.handler);
    return rows;
  }();
  const auto found = kByName.find(class_name);
  return found == kByName.end() ? nullptr : found->second;
}

}  // namespace actforge
