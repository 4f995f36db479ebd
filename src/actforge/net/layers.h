#pragma once

#include "actforge/net/layer_kind.h"

// The kinds of layers, by the file that defines them. A new kind is a definition there, a line here, a row in
// layer_table.cpp, and its execution in the part `train`.
namespace actforge {

// layers_basic.cpp
extern const LayerKind kInputLayer, kActivationLayer, kDropoutLayer, kSpatialDropoutLayer;
// layers_linear.cpp
extern const LayerKind kConvLayer, kDepthwiseConvLayer, kTransposedConvLayer, kDenseLayer, kEmbeddingLayer,
    kPositionLayer;
// layers_norm.cpp
extern const LayerKind kBatchNormLayer, kLayerNormLayer, kGroupNormLayer;
// layers_pool.cpp
extern const LayerKind kMaxPoolLayer, kAveragePoolLayer, kGlobalMaxLayer, kGlobalAverageLayer;
// layers_merge.cpp
extern const LayerKind kAddLayer, kSubtractLayer, kMultiplyLayer, kAverageLayer, kMaximumLayer, kMinimumLayer,
    kWeightedSumLayer, kConcatenateLayer, kMatmulLayer;
// layers_shape.cpp
extern const LayerKind kZeroPaddingLayer, kCroppingLayer, kUpSamplingLayer, kFlattenLayer, kReshapeLayer, kPermuteLayer,
    kSliceLayer;
// layers_reduce.cpp
extern const LayerKind kSoftmaxLayer, kReduceMeanLayer, kReduceSumLayer;
// layers_recurrent.cpp
extern const LayerKind kLstmLayer, kGruLayer, kSimpleRnnLayer;
// layers_foreign.cpp
extern const LayerKind kConstantLayer, kOpaqueLayer;

}  // namespace actforge
