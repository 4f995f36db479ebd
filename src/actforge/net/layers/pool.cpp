// Pooling.
#include "actforge/base/error.h"
#include "actforge/net/graph/window.h"
#include "actforge/net/layers/layers.h"

namespace actforge {
namespace {

constexpr AttributeRow kPoolRows[] = {
    {"size", AttributeType::kExtents, "2", "size of the window: 2, or 2x3", 1, 1 << 16},
    {"stride", AttributeType::kExtents, "0", "step of the window; 0 is its size", 0, 1 << 16},
    {"padding", AttributeType::kWord, "valid", "same, valid, or zeros: 1, 1x2, 0:1x0:1; they do not count"},
};

// Zeros of the padding do not count, so that a window of nothing else would have no largest number and no average.
void check_windows(const Window& window, const Shape& places, const Shape& spatial) {
  for (std::size_t i = 0; i < spatial.size(); ++i) {
    const std::int64_t last = (places[i] - 1) * window.stride[i] - window.before[i];
    if (window.before[i] < window.size[i] && last < spatial[i]) continue;
    throw Error(ErrorCode::kBadInput, "with so much padding a window of " + std::to_string(window.size[i]) +
                                          " holds nothing of the " + std::to_string(spatial[i]) + " numbers");
  }
}

Signal infer_pool(const LayerSetting& layer) {
  const Window window = read_window(layer, "size");
  const Shape spatial = spatial_extents(layer);
  Shape shape = window_positions(window, spatial);
  check_windows(window, shape, spatial);
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
                                 .family = LayerFamily::kPool,
                                 .least_inputs = 1,
                                 .most_inputs = 1,
                                 .attributes = kPoolRows,
                                 .infer = infer_pool};

const LayerKind kAveragePoolLayer = {.name = "average_pool",
                                     .summary = "the average of each window",
                                     .family = LayerFamily::kPool,
                                     .least_inputs = 1,
                                     .most_inputs = 1,
                                     .attributes = kPoolRows,
                                     .infer = infer_pool};

const LayerKind kGlobalMaxLayer = {.name = "global_max_pool",
                                   .summary = "the largest number of each channel",
                                   .family = LayerFamily::kPool,
                                   .least_inputs = 1,
                                   .most_inputs = 1,
                                   .attributes = {},
                                   .infer = infer_global_pool};

const LayerKind kGlobalAverageLayer = {.name = "global_average_pool",
                                       .summary = "the average of each channel",
                                       .family = LayerFamily::kPool,
                                       .least_inputs = 1,
                                       .most_inputs = 1,
                                       .attributes = {},
                                       .infer = infer_global_pool};

}  // namespace actforge
