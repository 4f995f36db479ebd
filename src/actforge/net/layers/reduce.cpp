// Softmax, and what sums extents up.
#include <algorithm>

#include "actforge/base/error.h"
#include "actforge/net/graph/axes.h"
#include "actforge/net/layers/layers.h"

namespace actforge {
namespace {

constexpr AttributeRow kSoftmaxRows[] = {
    {"axis", AttributeType::kWord, "-1", "the extent whose numbers will sum to one: a number, or channels"},
};

Signal infer_softmax(const LayerSetting& layer) {
  if (layer.inputs[0].indices) throw Error(ErrorCode::kBadInput, "it needs values, not indices");
  softmax_axis(layer);  // for its checks
  return layer.inputs[0];
}

constexpr AttributeRow kReduceRows[] = {
    {"axes", AttributeType::kExtents, "", "the extents to sum up, numbered from 0: 0, or 1x2", 0, kMaxRank},
    {"keep", AttributeType::kFlag, "false", "leave an extent of 1 in their place"},
};

Signal infer_reduce(const LayerSetting& layer) {
  const Signal& input = layer.inputs[0];
  if (input.indices) throw Error(ErrorCode::kBadInput, "it needs values, not indices");
  const std::vector<std::size_t> axes = reduced_axes(layer);
  const bool keep = layer.flag("keep");
  Signal output;
  bool found = false;
  for (std::size_t i = 0; i < input.shape.size(); ++i) {
    const bool reduced = std::find(axes.begin(), axes.end(), i) != axes.end();
    if (i == input.channel_axis && (keep || !reduced)) {
      output.channel_axis = output.shape.size();
      found = true;
    }
    if (!reduced || keep) output.shape.push_back(reduced ? 1 : input.shape[i]);
  }
  if (output.shape.empty()) output.shape.push_back(1);
  if (!found) output.channel_axis = output.shape.size() - 1;
  return output;
}

}  // namespace

std::size_t softmax_axis(const LayerSetting& layer) { return axis_number(layer.word("axis"), layer.inputs[0]); }

std::vector<std::size_t> reduced_axes(const LayerSetting& layer) {
  std::vector<std::size_t> axes;
  for (const std::int64_t axis : layer.extents("axes")) {
    axes.push_back(axis_number(std::to_string(axis), layer.inputs[0]));
    if (std::count(axes.begin(), axes.end(), axes.back()) > 1) {
      throw Error(ErrorCode::kBadInput, "axes names " + std::to_string(axis) + " twice");
    }
  }
  return axes;
}

const LayerKind kSoftmaxLayer = {.name = "softmax",
                                 .summary = "exponentials that sum to one",
                                 .family = LayerFamily::kActivation,
                                 .least_inputs = 1,
                                 .most_inputs = 1,
                                 .attributes = kSoftmaxRows,
                                 .infer = infer_softmax};

const LayerKind kReduceMeanLayer = {.name = "reduce_mean",
                                    .summary = "the mean over some extents",
                                    .family = LayerFamily::kPool,
                                    .least_inputs = 1,
                                    .most_inputs = 1,
                                    .attributes = kReduceRows,
                                    .infer = infer_reduce};

const LayerKind kReduceSumLayer = {.name = "reduce_sum",
                                   .summary = "the sum over some extents",
                                   .family = LayerFamily::kPool,
                                   .least_inputs = 1,
                                   .most_inputs = 1,
                                   .attributes = kReduceRows,
                                   .infer = infer_reduce};

}  // namespace actforge
