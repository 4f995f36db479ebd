#include "actforge/base/error.h"
#include "actforge/net/layers.h"
#include "actforge/train/layer_run.h"

namespace actforge {
namespace {

// Every kind of layer but the input, which the executor fills in, and what is opaque.
const LayerExecution kExecutions[] = {
    {&kActivationLayer, make_activation},
    {&kConvLayer, make_conv},
    {&kDepthwiseConvLayer, make_depthwise_conv},
    {&kDenseLayer, make_dense},
    {&kEmbeddingLayer, make_embedding},
    {&kPositionLayer, make_position},
    {&kDropoutLayer, make_dropout},
    {&kSpatialDropoutLayer, make_spatial_dropout},
    {&kBatchNormLayer, make_batch_norm},
    {&kLayerNormLayer, make_layer_norm},
    {&kGroupNormLayer, make_group_norm},
    {&kMaxPoolLayer, make_max_pool},
    {&kAveragePoolLayer, make_average_pool},
    {&kGlobalMaxLayer, make_global_max},
    {&kGlobalAverageLayer, make_global_average},
    {&kAddLayer, make_add},
    {&kSubtractLayer, make_subtract},
    {&kMultiplyLayer, make_multiply},
    {&kAverageLayer, make_average},
    {&kMaximumLayer, make_maximum},
    {&kMinimumLayer, make_minimum},
    {&kConcatenateLayer, make_concatenate},
    {&kMatmulLayer, make_matmul},
    {&kZeroPaddingLayer, make_zero_padding},
    {&kCroppingLayer, make_cropping},
    {&kUpSamplingLayer, make_up_sampling},
    {&kFlattenLayer, make_flatten},
    {&kReshapeLayer, make_reshape},
    {&kPermuteLayer, make_permute},
    {&kSoftmaxLayer, make_softmax},
    {&kReduceMeanLayer, make_reduce_mean},
    {&kReduceSumLayer, make_reduce_sum},
    {&kLstmLayer, make_lstm},
    {&kGruLayer, make_gru},
    {&kSimpleRnnLayer, make_simple_rnn},
    {&kTransposedConvLayer, make_transposed_conv},
    {&kWeightedSumLayer, make_weighted_sum},
    {&kSliceLayer, make_slice},
    {&kConstantLayer, make_constant},
};

}  // namespace

LayerFunction make_layer(const LayerSetting& layer, ActivationBackend backend) {
  for (const LayerExecution& row : kExecutions) {
    if (row.kind == layer.kind) return row.make(layer, backend);
  }
  throw Error(ErrorCode::kFailed, "layers of kind '" + std::string(layer.kind->name) + "' cannot be executed");
}

}  // namespace actforge
