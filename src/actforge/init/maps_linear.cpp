// Layers whose kernels AutoInit scales.
//
// y = Σ w x over n numbers x, with independent w of mean zero and variance σ²: E y = 0 and
//   Var y = σ² Σ E x² = σ² n (v + m²),
// whether the x are independent or not, since the w are. At the edge of an image some of the n are zeros of the
// padding; n is the average over all places (the dissertation takes the size of the kernel).
#include <algorithm>
#include <cmath>

#include "actforge/init/layer_map.h"
#include "actforge/net/layers.h"
#include "actforge/net/window.h"

namespace actforge {
namespace {

// Along one extent: how many points of the window are inside, on average over its places.
double average_inside(const Window& w, std::size_t i, std::int64_t extent, std::int64_t places) {
  std::int64_t inside = 0;
  // Places far from both ends have all points; so many places exist that only the others are counted one by one.
  const std::int64_t reach = (w.size[i] - 1) * w.dilation[i];
  for (std::int64_t place = 0; place < places; ++place) {
    const std::int64_t begin = place * w.stride[i] - w.before[i];
    if (begin >= 0 && begin + reach < extent) {
      inside += w.size[i];
      continue;
    }
    for (std::int64_t point = 0; point < w.size[i]; ++point) {
      const std::int64_t at = begin + point * w.dilation[i];
      inside += at >= 0 && at < extent;
    }
  }
  return static_cast<double>(inside) / static_cast<double>(places);
}

double conv_terms(const MapQuestion& q) {
  const Window window = read_window(q.setting, "kernel");
  const Shape spatial = spatial_extents(q.setting), places = window_places(window, spatial);
  double terms = static_cast<double>(q.layer().weights[0].shape[1]);
  for (std::size_t i = 0; i < spatial.size(); ++i) terms *= average_inside(window, i, spatial[i], places[i]);
  return terms;
}

// Each number of the input reaches kernel places of the output, but for those that are cut off.
double transposed_terms(const MapQuestion& q) {
  const Shape spatial = spatial_extents(q.setting);
  const auto list = [&](std::string_view attribute) { return per_extent(q.setting, attribute, spatial.size()); };
  const auto kernel = list("kernel"), stride = list("stride"), dilation = list("dilation"), margin = list("margin");
  double terms = static_cast<double>(q.setting.inputs[0].channels()) / static_cast<double>(q.setting.integer("groups"));
  for (std::size_t i = 0; i < spatial.size(); ++i) {
    const std::int64_t extent = q.layer().output.shape[i + 1];
    std::int64_t inside = 0;
    for (std::int64_t from = 0; from < spatial[i]; ++from) {
      for (std::int64_t point = 0; point < kernel[i]; ++point) {
        const std::int64_t at = from * stride[i] + point * dilation[i] - margin[i];
        inside += at >= 0 && at < extent;
      }
    }
    terms *= static_cast<double>(inside) / static_cast<double>(extent);
  }
  return terms;
}

}  // namespace

double kernel_gain(const MapQuestion& q) {
  const LayerKind* kind = q.setting.kind;
  if (kind == &kEmbeddingLayer) return 1;  // a row of the table is the output
  if (kind == &kDenseLayer) return static_cast<double>(q.setting.inputs[0].channels()) * q.inputs[0].square();
  if (kind == &kConvLayer || kind == &kDepthwiseConvLayer) return conv_terms(q) * q.inputs[0].square();
  if (kind == &kTransposedConvLayer) return transposed_terms(q) * q.inputs[0].square();
  return 0;
}

MapAnswer map_kernel(const MapQuestion& q) { return {{0, q.kernel_variance * kernel_gain(q)}}; }

MapAnswer map_embedding(const MapQuestion& q) { return {{0, q.kernel_variance}}; }

// x + table
MapAnswer map_position(const MapQuestion& q) { return {{q.inputs[0].mean, q.inputs[0].variance + q.kernel_variance}}; }

}  // namespace actforge
