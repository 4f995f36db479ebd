// What networks of other programs contain: numbers of a file, and layers of unknown kinds.
#include "actforge/net/graph/axes.h"
#include "actforge/net/layers/layers.h"

namespace actforge {
namespace {

constexpr AttributeRow kConstantRows[] = {
    {"shape", AttributeType::kExtents, "", "extents of the numbers", 1, 1 << 24},
    {"channels", AttributeType::kWord, "0", "which of the extents counts the channels"},
    {"mean", AttributeType::kNumber, "0", "mean of the numbers"},
    {"variance", AttributeType::kNumber, "0", "variance of the numbers", 0},
};

Signal infer_constant(const LayerSetting& layer) {
  Signal output = {.shape = layer.extents("shape")};
  output.channel_axis = axis_number(layer.word("channels"), output);
  return output;
}

std::vector<Weight> constant_weights(const LayerSetting& layer) {
  return {{.name = "value",
           .role = WeightRole::kConstant,
           .shape = layer.extents("shape"),
           .initial = layer.number("mean")}};
}

constexpr AttributeRow kOpaqueRows[] = {
    {"type", AttributeType::kWord, "", "its kind in the file it comes from"},
    {"shape", AttributeType::kExtents, "", "extents of its output", 1, 1 << 24},
    {"channels", AttributeType::kWord, "0", "which of them counts the channels"},
};

Signal infer_opaque(const LayerSetting& layer) {
  Signal output = {.shape = layer.extents("shape")};
  output.channel_axis = axis_number(layer.word("channels"), output);
  return output;
}

}  // namespace

const LayerKind kConstantLayer = {.name = "constant",
                                  .summary = "numbers of a file that the network computes with",
                                  .family = LayerFamily::kOther,
                                  .least_inputs = 0,
                                  .most_inputs = 0,
                                  .attributes = kConstantRows,
                                  .infer = infer_constant,
                                  .weights = constant_weights};

const LayerKind kOpaqueLayer = {.name = "opaque",
                                .summary = "a layer of another program that is not known here",
                                .family = LayerFamily::kOther,
                                .least_inputs = 0,
                                .most_inputs = kManyInputs,
                                .attributes = kOpaqueRows,
                                .infer = infer_opaque};

}  // namespace actforge
