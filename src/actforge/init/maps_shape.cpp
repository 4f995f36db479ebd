// Layers that move numbers, put zeros beside them, or mix neighbours.
#include <algorithm>
#include <cmath>

#include "actforge/init/layer_map.h"

namespace actforge {

MapAnswer map_same(const MapQuestion& q) { return {q.inputs[0]}; }

// A share z of the numbers is zero: E y = (1-z) m, E y² = (1-z)(v + m²), and of two places E y y' = (1-z)² E x x'.
MapAnswer map_zero_padding(const MapQuestion& q) {
  const auto kept = static_cast<double>(element_count(q.setting.inputs[0].shape));
  const auto all = static_cast<double>(element_count(q.layer().output.shape));
  const SignalMoments& x = q.inputs[0];
  const double share = kept / all, mean = share * x.mean;
  return {SignalMoments::of(mean, share * x.square() - mean * mean, share * share * x.product() - mean * mean)};
}

// Between two neighbours at distances f and 1-f lies (1-f) a + f b, of variance (f² + (1-f)²) v, but for the part that
// all places have in common. Extents multiply.
MapAnswer map_up_sampling(const MapQuestion& q) {
  const SignalMoments& x = q.inputs[0];
  if (q.setting.word("mode") == "nearest") return {x};
  double rest = x.variance - x.covariance();
  const Shape& input = q.setting.inputs[0].shape;
  const auto factor = static_cast<double>(q.setting.integer("factor"));
  for (std::size_t i = 1; i < input.size(); ++i) {
    const std::int64_t places = q.layer().output.shape[i];
    double share = 0;
    for (std::int64_t place = 0; place < places; ++place) {
      // The middles of pixels keep their distances; before the first and after the last one nothing changes.
      const double at = (static_cast<double>(place) + 0.5) / factor - 0.5;
      const double inside = std::clamp(at, 0.0, static_cast<double>(input[i] - 1));
      const double f = inside - std::floor(inside);
      share += f * f + (1 - f) * (1 - f);
    }
    rest *= share / static_cast<double>(places);
  }
  return {SignalMoments::of(x.mean, x.covariance() + rest, x.covariance())};
}

}  // namespace actforge
