// Layers whose kernels AutoInit scales.
//
// y = Σ w x over n numbers x, with independent w of mean zero and variance σ²: E y = 0 and
//   Var y = σ² Σ E x² = σ² n (v + m²),
// whether the x are independent or not, since the w are. At the edge of an image some of the n are zeros of the
// padding; n is the average over all places (the dissertation takes the size of the kernel), and each x counts as
// spatial_profile.h says.
#include "actforge/init/spatial_profile.h"
#include "actforge/net/layers.h"

namespace actforge {

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

// Two places of a channel have the same w: E y y' = σ² Σ E x x'.
MapAnswer map_kernel(const MapQuestion& q) {
  const SignalMoments& x = q.inputs[0];
  const double correlation = x.square() > 0 ? x.product() / x.square() : 0;
  return {{0, q.kernel_variance * kernel_gain(q), correlation}};
}

MapAnswer map_embedding(const MapQuestion& q) { return {{0, q.kernel_variance}}; }

// x + table
MapAnswer map_position(const MapQuestion& q) {
  const SignalMoments& x = q.inputs[0];
  return {SignalMoments::of(x.mean, x.variance + q.kernel_variance, x.covariance())};
}

}  // namespace actforge
