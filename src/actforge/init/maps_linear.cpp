// Layers whose kernels AutoInit scales.
//
// y = Σ w x over n numbers x, with independent w of mean zero and variance σ²: E y = 0 and
//   Var y = σ² Σ E x² = σ² n (v + m²),
// whether the x are independent or not, since the w are. At the edge of an image some of the n are zeros of the
// padding; n is the average over all places (the dissertation takes the size of the kernel), and each x counts as
// spatial_profile.h says.
#include "actforge/init/spatial_profile.h"
#include "actforge/net/layers.h"
#include "actforge/net/window.h"

namespace actforge {
namespace {

// The points of a kernel that two places use, on average over pairs of places, as a share of those that one uses. A
// point that lies inside the image at a share f of the places does so at f² of the pairs: Σ f²/Σ f, along each extent.
double shared_points(const LayerSetting& layer) {
  if (layer.kind != &kConvLayer && layer.kind != &kDepthwiseConvLayer) return 1;
  const Window window = read_window(layer, "kernel");
  const Shape extents = spatial_extents(layer), places = window_places(window, extents);
  double share = 1;
  for (std::size_t axis = 0; axis < extents.size(); ++axis) {
    double once = 0, twice = 0;
    for (std::int64_t point = 0; point < window.size[axis]; ++point) {
      std::int64_t inside = 0;
      for (std::int64_t place = 0; place < places[axis]; ++place) {
        const std::int64_t at = place * window.stride[axis] - window.before[axis] + point * window.dilation[axis];
        inside += at >= 0 && at < extents[axis] ? 1 : 0;
      }
      const double f = static_cast<double>(inside) / static_cast<double>(places[axis]);
      once += f, twice += f * f;
    }
    if (once > 0) share *= twice / once;
  }
  return share;
}

}  // namespace

double kernel_gain(const MapQuestion& q) {
  const LayerKind* kind = q.setting.kind;
  if (kind == &kEmbeddingLayer) return 1;  // a row of the table is the output
  if (kind == &kDenseLayer) return static_cast<double>(q.setting.inputs[0].channels()) * q.inputs[0].square();
  if (kind == &kConvLayer || kind == &kDepthwiseConvLayer || kind == &kTransposedConvLayer) {
    const Weight& kernel = q.layer().weights[0];
    const bool transposed = kind == &kTransposedConvLayer;
    const auto channels =
        static_cast<double>(transposed ? kernel.shape[0] / q.setting.integer("groups") : kernel.shape[1]);
    const ProfilePointer profile = q.profiles.empty() ? ProfilePointer() : q.profiles[0];
    return channels * convolution_terms(q.setting, q.layer().output.shape, profile).terms * q.inputs[0].square();
  }
  return 0;
}

// Two places of a channel have the same w: E y y' = σ² Σ E x x', over the points of the kernel that lie inside the
// image at both.
MapAnswer map_kernel(const MapQuestion& q) {
  const SignalMoments& x = q.inputs[0];
  const double correlation = x.square() > 0 ? shared_points(q.setting) * x.product() / x.square() : 0;
  return {{0, q.kernel_variance * kernel_gain(q), correlation}};
}

MapAnswer map_embedding(const MapQuestion& q) { return {{0, q.kernel_variance}}; }

// x + table
MapAnswer map_position(const MapQuestion& q) {
  const SignalMoments& x = q.inputs[0];
  return {SignalMoments::of(x.mean, x.variance + q.kernel_variance, x.covariance())};
}

}  // namespace actforge
