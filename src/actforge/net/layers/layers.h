#pragma once

#include <array>

#include "actforge/net/graph/layer_kind.h"

// The kinds of layers, by the file that defines them. A new kind is
//   - a definition there, its name here, and its row in kLayerKinds below;
//   - what it does to signals: its functions and a row in init/maps/<family>.cpp (init/maps/moment_map_table.h);
//   - how LibTorch computes it: the same in torch/execute/<family>.cpp (torch/execute/layer_call.h);
//   - where files have it, a reader with a row in onnx/nodes_<family>.cpp and keras/layers_<family>.cpp.
// Tests walk the table and fail where one of the first three is missing.
namespace actforge {

// basic.cpp
extern const LayerKind kDropoutLayer, kSpatialDropoutLayer;  // and those that graphs know: layer_kind.h
// linear.cpp
extern const LayerKind kConvLayer, kDepthwiseConvLayer, kTransposedConvLayer, kDenseLayer, kEmbeddingLayer,
    kPositionLayer, kRelativePositionLayer;
// norm.cpp
extern const LayerKind kBatchNormLayer, kLayerNormLayer, kGroupNormLayer;
// pool.cpp
extern const LayerKind kMaxPoolLayer, kAveragePoolLayer, kGlobalMaxLayer, kGlobalAverageLayer;
// merge.cpp
extern const LayerKind kAddLayer, kSubtractLayer, kMultiplyLayer, kAverageLayer, kMaximumLayer, kMinimumLayer,
    kWeightedSumLayer, kConcatenateLayer, kMatmulLayer;
// shape.cpp
extern const LayerKind kZeroPaddingLayer, kCroppingLayer, kUpSamplingLayer, kResizeLayer, kFlattenLayer, kReshapeLayer,
    kPermuteLayer, kSliceLayer;
// reduce.cpp
extern const LayerKind kSoftmaxLayer, kReduceMeanLayer, kReduceSumLayer;
// recurrent.cpp
extern const LayerKind kLstmLayer, kGruLayer, kSimpleRnnLayer;
// foreign.cpp
extern const LayerKind kConstantLayer, kOpaqueLayer;

// In the order in which they are listed to users.
inline constexpr std::array kLayerKinds = {
    &kInputLayer,       &kActivationLayer,  &kConvLayer,      &kDepthwiseConvLayer,  &kDenseLayer,
    &kBatchNormLayer,   &kLayerNormLayer,   &kGroupNormLayer, &kDropoutLayer,        &kSpatialDropoutLayer,
    &kMaxPoolLayer,     &kAveragePoolLayer, &kGlobalMaxLayer, &kGlobalAverageLayer,  &kAddLayer,
    &kSubtractLayer,    &kMultiplyLayer,    &kAverageLayer,   &kMaximumLayer,        &kMinimumLayer,
    &kConcatenateLayer, &kZeroPaddingLayer, &kCroppingLayer,  &kUpSamplingLayer,     &kResizeLayer,
    &kFlattenLayer,     &kReshapeLayer,     &kPermuteLayer,   &kMatmulLayer,         &kSoftmaxLayer,
    &kReduceMeanLayer,  &kReduceSumLayer,   &kEmbeddingLayer, &kPositionLayer,       &kRelativePositionLayer,
    &kLstmLayer,        &kGruLayer,         &kSimpleRnnLayer, &kTransposedConvLayer, &kWeightedSumLayer,
    &kSliceLayer,       &kConstantLayer,    &kOpaqueLayer,
};

}  // namespace actforge
