#include <array>

#include "actforge/init/layer_map.h"
#include "actforge/net/layers.h"

namespace actforge {
namespace {

const LayerMapRow kMaps[] = {
    {&kInputLayer, map_input},
    {&kActivationLayer, map_activation},
    {&kConvLayer, map_kernel},
    {&kDepthwiseConvLayer, map_kernel},
    {&kTransposedConvLayer, map_kernel},
    {&kDenseLayer, map_kernel},
    {&kEmbeddingLayer, map_embedding},
    {&kPositionLayer, map_position},
    {&kDropoutLayer, map_dropout},
    {&kSpatialDropoutLayer, map_dropout},
    {&kBatchNormLayer, map_norm},
    {&kLayerNormLayer, map_norm},
    {&kGroupNormLayer, map_norm},
    {&kMaxPoolLayer, map_max_pool},
    {&kAveragePoolLayer, map_average_pool},
    {&kGlobalMaxLayer, map_global_max},
    {&kGlobalAverageLayer, map_global_average},
    {&kReduceMeanLayer, map_reduce_mean},
    {&kReduceSumLayer, map_reduce_sum},
    {&kAddLayer, map_add},
    {&kSubtractLayer, map_subtract},
    {&kAverageLayer, map_average},
    {&kWeightedSumLayer, map_weighted_sum},
    {&kMultiplyLayer, map_multiply},
    {&kMaximumLayer, map_maximum},
    {&kMinimumLayer, map_minimum},
    {&kConcatenateLayer, map_concatenate},
    {&kMatmulLayer, map_matmul},
    {&kSoftmaxLayer, map_softmax},
    {&kZeroPaddingLayer, map_zero_padding},
    {&kCroppingLayer, map_same},
    {&kSliceLayer, map_same},
    {&kUpSamplingLayer, map_up_sampling},
    {&kFlattenLayer, map_same},
    {&kReshapeLayer, map_same},
    {&kPermuteLayer, map_same},
    {&kLstmLayer, map_recurrent},
    {&kGruLayer, map_recurrent},
    {&kSimpleRnnLayer, map_recurrent},
    {&kConstantLayer, map_constant},
    {&kOpaqueLayer, map_opaque},
};

}  // namespace

std::string_view how_name(MapHow how) {
  constexpr std::array<std::string_view, 3> kNames = {"exact", "simulated", "pass_through"};
  return kNames[static_cast<std::size_t>(how)];
}

const LayerMapRow* find_layer_map(const LayerKind* kind) {
  for (const LayerMapRow& row : kMaps) {
    if (row.kind == kind) return &row;
  }
  return nullptr;
}

}  // namespace actforge
