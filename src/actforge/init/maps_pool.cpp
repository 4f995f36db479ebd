// What makes one number of many.
#include <cmath>
#include <map>

#include "actforge/init/layer_map.h"
#include "actforge/init/normal_maximum.h"
#include "actforge/net/axes.h"
#include "actforge/net/window.h"

namespace actforge {
namespace {

// Which share of the places sees how many numbers: at the edges windows are partly padding, which does not count.
using Shares = std::map<double, double>;

Shares window_shares(const MapQuestion& q) {
  const Window w = read_window(q.setting, "size");
  const Shape spatial = spatial_extents(q.setting), places = window_places(w, spatial);
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

double spatial_count(const MapQuestion& q) {
  const Signal& input = q.setting.inputs[0];
  return static_cast<double>(element_count(input.shape)) / static_cast<double>(input.channels());
}

double reduced_count(const MapQuestion& q) {
  double count = 1;
  for (const std::size_t axis : reduced_axes(q.setting)) count *= static_cast<double>(q.setting.inputs[0].shape[axis]);
  return count;
}

}  // namespace

MapAnswer map_max_pool(const MapQuestion& q) {
  MixedMoments mixed;
  for (const auto& [count, share] : window_shares(q)) mixed.add(share, maximum_of_equals(q.inputs[0], count));
  return {mixed.moments()};
}

// The mean of k independent numbers has variance v/k: a closed form where the dissertation simulates.
MapAnswer map_average_pool(const MapQuestion& q) {
  double variance = 0;
  for (const auto& [count, share] : window_shares(q)) variance += share * q.inputs[0].variance / count;
  return {{q.inputs[0].mean, variance}};
}

MapAnswer map_global_max(const MapQuestion& q) { return {maximum_of_equals(q.inputs[0], spatial_count(q))}; }

MapAnswer map_global_average(const MapQuestion& q) {
  return {{q.inputs[0].mean, q.inputs[0].variance / spatial_count(q)}};
}

MapAnswer map_reduce_mean(const MapQuestion& q) {
  return {{q.inputs[0].mean, q.inputs[0].variance / reduced_count(q)}};
}

MapAnswer map_reduce_sum(const MapQuestion& q) {
  const double count = reduced_count(q);
  return {{count * q.inputs[0].mean, count * q.inputs[0].variance}};
}

}  // namespace actforge
