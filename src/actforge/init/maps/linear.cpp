// Layers whose kernels AutoInit scales.
//
// y = Σ w x over n numbers x, with independent w of mean zero and variance σ²: E y = 0 and
//   Var y = σ² Σ E x² = σ² n (v + m²),
// whether the x are independent or not, since the w are. At the edge of an image some of the n are zeros of the
// padding; n is the average over all places (the dissertation takes the size of the kernel), and each x counts as
// spatial_profile.h says.
#include "actforge/init/maps/moment_map_table.h"
#include "actforge/net/graph/window.h"
#include "actforge/net/layers/layers.h"

namespace actforge {
namespace {

// The points of a kernel that two places use, on average over pairs of places, as a share of those that one uses. A
// point that lies inside the image at a share f of the places does so at f² of the pairs: Σ f²/Σ f, along each extent.
double shared_points(const LayerSetting& layer) {
  const Window window = read_window(layer, "kernel");
  const Shape extents = spatial_extents(layer), places = window_positions(window, extents);
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

// Two places of a channel have the same w: E y y' = σ² Σ E x x', over the points of the kernel that lie inside the
// image at both, a share `shared`.
MomentResult map_kernel(const MomentQuery& q, double gain, double shared) {
  const SignalMoments& x = q.inputs[0];
  const double correlation = x.square() > 0 ? shared * x.product() / x.square() : 0;
  return {{0, q.kernel_variance * gain, correlation}};
}

// Two places of an output channel have the covariance Σ x x' over the points of their windows, the average of n numbers
// that vary themselves. The variance of that average adds to the square of its mean.
double varying_covariance(const MomentQuery& q, double terms) {
  const SignalMoments& x = q.inputs[0];
  const double mean = x.square() > 0 ? x.product() / x.square() : 0;
  return std::max(0.0, 1 + q.spreads[0]->own_far - mean * mean) / terms;
}

// All channels, at the points of a window that moves over the image (null: places stay apart).
SizeVariance summed_spread(const MomentQuery& q, const SignalMoments& output, const Window* window) {
  SizeVariance spread = *q.spreads[0];
  add_own(spread, static_cast<double>(q.setting.inputs[0].channels()));
  if (window != nullptr) average_windows(spread, *window), average_deviations(spread, q, *window);
  set_normal(spread, output);
  spread.own_far += 2 * varying_covariance(q, static_cast<double>(q.layer().weights[0].fan_in));
  return spread;
}

// In groups of channels, each of which has a mean square e of its own: then that is a property of the number, z² = e
// g²:
//   E z⁴/(E z²)² = 3 (1 + var e)
SizeVariance grouped_spread(const MomentQuery& q, const SignalMoments& output, double channels, const Window* window) {
  SizeVariance spread = *q.spreads[0];
  SizeVariance group = {.extents = spread.extents, .shared = std::vector<double>(spread.shared.size(), 0), .far = 0};
  group.own = spread.own, group.own_far = spread.own_far;
  add_own(group, channels);
  if (window != nullptr) {
    average_windows(spread, *window), average_deviations(spread, q, *window);
    average_windows(group, *window);
  }
  spread.own = 2 + 3 * group.here();
  spread.own_far = (1 + group.far) * (1 + normal_own(output, output.covariance())) - 1;
  return spread;
}

// `channels` are those whose squares one output number sums.
SizeVariance kernel_spread(const MomentQuery& q, const SignalMoments& output, std::int64_t channels,
                           const Window* window) {
  if (channels == q.setting.inputs[0].channels()) return summed_spread(q, output, window);
  return grouped_spread(q, output, static_cast<double>(channels), window);
}

// ---- convolution

// [filters, channels of a group, points...]
std::int64_t group_channels(const MomentQuery& q) { return q.layer().weights[0].shape[1]; }

// How many points of the window each output number sums, weighted by the profile of the input.
Profile window_terms(const MomentQuery& q) {
  const Shape extents = spatial_extents(q.setting);
  return window_sums(profile_values(first_profile(q), extents), extents, read_window(q.setting, "kernel"));
}

double conv_gain(const MomentQuery& q) {
  return static_cast<double>(group_channels(q)) * profile_average(window_terms(q)) * q.inputs[0].square();
}

MomentResult map_conv(const MomentQuery& q) { return map_kernel(q, conv_gain(q), shared_points(q.setting)); }

ProfilePointer conv_profile(const MomentQuery& q, const MomentResult& /*answer*/) {
  return normalised_profile(window_terms(q));
}

SizeVariance conv_spread(const MomentQuery& q, const MomentResult& answer) {
  const Window window = read_window(q.setting, "kernel");
  return kernel_spread(q, answer.output, group_channels(q), &window);
}

// ---- transposed convolution

// [channels, filters of a group, points...]
std::int64_t transposed_channels(const MomentQuery& q) {
  return q.layer().weights[0].shape[0] / q.setting.integer("groups");
}

Profile transposed_terms(const MomentQuery& q) {
  const Shape extents = spatial_extents(q.setting);
  return spread_sums(profile_values(first_profile(q), extents), extents, q.setting,
                     image_extents(q.layer().output.shape));
}

double transposed_gain(const MomentQuery& q) {
  return static_cast<double>(transposed_channels(q)) * profile_average(transposed_terms(q)) * q.inputs[0].square();
}

MomentResult map_transposed(const MomentQuery& q) { return map_kernel(q, transposed_gain(q), 1); }

ProfilePointer transposed_profile(const MomentQuery& q, const MomentResult& /*answer*/) {
  return normalised_profile(transposed_terms(q));
}

// Its places are others, even where they are as many.
SizeVariance transposed_spread(const MomentQuery& q, const MomentResult& answer) {
  SizeVariance spread = kernel_spread(q, answer.output, transposed_channels(q), nullptr);
  spread.deviations.reset();
  return spread;
}

// ---- dense

double dense_gain(const MomentQuery& q) {
  return static_cast<double>(q.setting.inputs[0].channels()) * q.inputs[0].square();
}

MomentResult map_dense(const MomentQuery& q) { return map_kernel(q, dense_gain(q), 1); }

SizeVariance dense_spread(const MomentQuery& q, const MomentResult& answer) {
  return summed_spread(q, answer.output, nullptr);
}

// ---- embeddings

// A row of the table is the output.
double embedding_gain(const MomentQuery& /*q*/) { return 1; }

MomentResult map_embedding(const MomentQuery& q) { return {{0, q.kernel_variance}}; }

// x + table
MomentResult map_position(const MomentQuery& q) {
  const SignalMoments& x = q.inputs[0];
  return {SignalMoments::of(x.mean, x.variance + q.kernel_variance, x.covariance())};
}

constexpr MomentMapRow kRows[] = {
    {kConvLayer, map_conv, conv_profile, conv_spread, conv_gain},
    {kDepthwiseConvLayer, map_conv, conv_profile, conv_spread, conv_gain},
    {kTransposedConvLayer, map_transposed, transposed_profile, transposed_spread, transposed_gain},
    {kDenseLayer, map_dense, uniform_profile, dense_spread, dense_gain},
    {kEmbeddingLayer, map_embedding, uniform_profile, usual_spread, embedding_gain},
    {kPositionLayer, map_position, same_profile, usual_spread},
    {kRelativePositionLayer, map_position, same_profile, usual_spread},
};

}  // namespace

std::span<const MomentMapRow> linear_maps() { return kRows; }

}  // namespace actforge
