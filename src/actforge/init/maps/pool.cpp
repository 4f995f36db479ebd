// What makes one number of many.
#include <algorithm>
#include <cmath>
#include <map>

#include "actforge/init/maps/moment_map_table.h"
#include "actforge/init/moments/normal_maximum.h"
#include "actforge/net/graph/axes.h"
#include "actforge/net/graph/window.h"
#include "actforge/net/layers/layers.h"

namespace actforge {
namespace {

// Which share of the places sees how many numbers: at the edges windows are partly padding, which does not count.
using Shares = std::map<double, double>;

Shares window_shares(const MomentQuery& q) {
  const Window w = read_window(q.setting, "size");
  const Shape spatial = spatial_extents(q.setting), places = window_positions(w, spatial);
  Shares all = {{1, 1}};
  for (std::size_t i = 0; i < spatial.size(); ++i) {
    Shares one;
    for (std::int64_t place = 0; place < places[i]; ++place) {
      const std::int64_t begin = place * w.stride[i] - w.before[i];
      const std::int64_t from = std::max<std::int64_t>(begin, 0), to = std::min(begin + w.size[i], spatial[i]);
      one[static_cast<double>(std::max<std::int64_t>(1, to - from))] += 1 / static_cast<double>(places[i]);
    }
    Shares product;
    for (const auto& [a, share_a] : all) {
      for (const auto& [b, share_b] : one) product[a * b] += share_a * share_b;
    }
    all = std::move(product);
  }
  return all;
}

double spatial_count(const MomentQuery& q) {
  const Signal& input = q.setting.inputs[0];
  return static_cast<double>(element_count(input.shape)) / static_cast<double>(input.channels());
}

// Places of a channel are x = m + √(ρv) u + √((1-ρ)v) wᵢ, with one u for all. What is common to them passes through
// averages and maxima; the rest is independent.
struct Parts {
  double common = 0;        // ρv
  SignalMoments rest = {};  // mean m, variance (1-ρ)v
};

Parts parts(const SignalMoments& x) {
  const double common = std::max(0.0, x.covariance());
  return {common, {x.mean, x.variance - common}};
}

SignalMoments maximum(const SignalMoments& x, double count) {
  const auto [common, rest] = parts(x);
  const SignalMoments largest = maximum_of_equals(rest, count);
  return SignalMoments::of(largest.mean, largest.variance + common, common);
}

// The mean of k independent numbers has variance v/k: a closed form where the dissertation simulates.
SignalMoments average(const SignalMoments& x, double count) {
  const auto [common, rest] = parts(x);
  return SignalMoments::of(x.mean, common + rest.variance / count, common);
}

// Over places, which are correlated, and over channels, which are not.
SignalMoments reduced(const MomentQuery& q) {
  const Signal& input = q.setting.inputs[0];
  double places = 1, channels = 1;
  for (const std::size_t axis : reduced_axes(q.setting)) {
    (axis == input.channel_axis ? channels : places) *= static_cast<double>(input.shape[axis]);
  }
  SignalMoments y = average(q.inputs[0], places);
  y.variance /= channels;
  return y;
}

MomentResult map_max_pool(const MomentQuery& q) {
  MixedMoments mixed;
  for (const auto& [count, share] : window_shares(q)) mixed.add(share, maximum(q.inputs[0], count));
  return {mixed.moments()};
}

MomentResult map_average_pool(const MomentQuery& q) {
  MixedMoments mixed;
  for (const auto& [count, share] : window_shares(q)) mixed.add(share, average(q.inputs[0], count));
  return {mixed.moments()};
}

MomentResult map_global_max(const MomentQuery& q) { return {maximum(q.inputs[0], spatial_count(q))}; }

MomentResult map_global_average(const MomentQuery& q) { return {average(q.inputs[0], spatial_count(q))}; }

MomentResult map_reduce_mean(const MomentQuery& q) { return {reduced(q)}; }

MomentResult map_reduce_sum(const MomentQuery& q) {
  double count = 1;
  for (const std::size_t axis : reduced_axes(q.setting)) count *= static_cast<double>(q.setting.inputs[0].shape[axis]);
  const SignalMoments y = reduced(q);
  return {{count * y.mean, count * count * y.variance, y.correlation}};
}

// The average over the part of each window that lies inside the image.
ProfilePointer pooled_profile(const MomentQuery& q, const MomentResult& /*answer*/) {
  if (q.profiles[0] == nullptr) return {};
  const Shape extents = spatial_extents(q.setting);
  const Window window = read_window(q.setting, "size");
  Profile sums = window_sums(*q.profiles[0], extents, window);
  const Profile counts = window_sums(Profile(q.profiles[0]->size(), 1), extents, window);
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] /= std::max(1.0F, counts[i]);
  return normalised_profile(std::move(sums));
}

SizeVariance pooled_spread(const MomentQuery& q, const MomentResult& answer) {
  SizeVariance spread = *q.spreads[0];
  const Window window = read_window(q.setting, "size");
  average_windows(spread, window), average_deviations(spread, q, window);
  set_normal(spread, answer.output);
  return spread;
}

// Over so many places that only what they have in common is left.
SizeVariance reduced_spread(const MomentQuery& q, const MomentResult& answer) {
  SizeVariance spread = *q.spreads[0];
  spread.shared.assign(spread.shared.size(), spread.far);
  set_normal(spread, answer.output);
  return spread;
}

constexpr MomentMapRow kRows[] = {
    {kMaxPoolLayer, map_max_pool, pooled_profile, pooled_spread},
    {kAveragePoolLayer, map_average_pool, pooled_profile, pooled_spread},
    {kGlobalMaxLayer, map_global_max, uniform_profile, reduced_spread},
    {kGlobalAverageLayer, map_global_average, uniform_profile, reduced_spread},
    {kReduceMeanLayer, map_reduce_mean, uniform_profile, reduced_spread},
    {kReduceSumLayer, map_reduce_sum, uniform_profile, reduced_spread},
};

}  // namespace

std::span<const MomentMapRow> pool_maps() { return kRows; }

}  // namespace actforge
