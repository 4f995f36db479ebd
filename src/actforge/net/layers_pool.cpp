// Pooling.
#include "actforge/net/layers.h"
#include "actforge/net/window.h"

namespace actforge {
namespace {

constexpr AttributeRow kPoolRows[] = {
    {"size", AttributeType::kExtents, "2", "size of the window: 2, or 2x3", 1, 1 << 16},
    {"stride", AttributeType::kExtents, "0", "step of the window; 0 is its size", 0, 1 << 16},
    {"padding", AttributeType::kWord, "valid", "same, valid, or zeros: 1, 1x2, 0:1x0:1; they do not count"},
};

Signal infer_pool(const LayerSetting& layer) {
  Shape shape = window_places(read_window(layer, "size"), spatial_extents(layer));
  shape.insert(shape.begin(), layer.inputs[0].channels());
  return {.shape = shape};
}

Signal infer_global_pool(const LayerSetting& layer) {
  spatial_extents(layer);  // for its checks
  return {.shape = {layer.inputs[0].channels()}};
}

}  // namespace

const LayerKind kMaxPoolLayer = {.name = "max_pool",
                                 .summary = "the largest number in each window",
                                 .least_inputs = 1,
                                 .most_inputs = 1,
                                 .attributes = kPoolRows,
                                 .infer = infer_pool};

const LayerKind kAveragePoolLayer = {.name = "average_pool",
                                     .summary = "the average of each window",
                                     .least_inputs = 1,
                                     .most_inputs = 1,
                                     .attributes = kPoolRows,
                                     .infer = infer_pool};

const LayerKind kGlobalMaxLayer = {.name = "global_max_pool",
                                   .summary = "the largest number of each channel",
                                   .least_inputs = 1,
                                   .most_inputs = 1,
                                   .attributes = {},
                                   .infer = infer_global_pool};

const LayerKind kGlobalAverageLayer = {.name = "global_average_pool",
                                       .summary = "the average of each channel",
                                       .least_inputs = 1,
                                       .most_inputs = 1,
                                       .attributes = {},
                                       .infer = infer_global_pool};

}  // namespace actforge
