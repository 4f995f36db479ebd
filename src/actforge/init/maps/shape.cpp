// Layers that move numbers, put zeros beside them, or mix neighbours.
#include <algorithm>
#include <cmath>

#include "actforge/init/maps/moment_map_table.h"
#include "actforge/init/moments/along_axis.h"
#include "actforge/net/graph/axes.h"
#include "actforge/net/layers/layers.h"

namespace actforge {
namespace {

MomentResult map_same(const MomentQuery& q) { return {q.inputs[0]}; }

// A share z of the numbers is zero: E y = (1-z) m, E y² = (1-z)(v + m²), and of two places E y y' = (1-z)² E x x'.
MomentResult map_zero_padding(const MomentQuery& q) {
  const auto kept = static_cast<double>(element_count(q.setting.inputs[0].shape));
  const auto all = static_cast<double>(element_count(q.layer().output.shape));
  const SignalMoments& x = q.inputs[0];
  const double share = kept / all, mean = share * x.mean;
  return {SignalMoments::of(mean, share * x.square() - mean * mean, share * share * x.product() - mean * mean)};
}

// Between two neighbours at distances f and 1-f lies (1-f) a + f b, of variance (f² + (1-f)²) v, but for the part that
// all places have in common. Extents multiply. Along extent i, place p of the output lies at `at(i, p)` of the input.
template <class At>
MomentResult interpolated(const MomentQuery& q, const At& at) {
  const SignalMoments& x = q.inputs[0];
  double rest = x.variance - x.covariance();
  const Shape& input = q.setting.inputs[0].shape;
  for (std::size_t i = 1; i < input.size(); ++i) {
    const std::int64_t places = q.layer().output.shape[i];
    double share = 0;
    for (std::int64_t place = 0; place < places; ++place) {
      const double inside = std::clamp(at(i, static_cast<double>(place)), 0.0, static_cast<double>(input[i] - 1));
      const double f = inside - std::floor(inside);
      share += f * f + (1 - f) * (1 - f);
    }
    rest *= share / static_cast<double>(places);
  }
  return {SignalMoments::of(x.mean, x.covariance() + rest, x.covariance())};
}

MomentResult map_up_sampling(const MomentQuery& q) {
  if (q.setting.word("mode") == "nearest") return {q.inputs[0]};
  // The middles of pixels keep their distances; before the first and after the last one nothing changes.
  const auto factor = static_cast<double>(q.setting.integer("factor"));
  return interpolated(q, [&](std::size_t /*extent*/, double place) { return (place + 0.5) / factor - 0.5; });
}

// The first and the last place of the output are those of the input.
MomentResult map_resize(const MomentQuery& q) {
  const Shape &from = q.setting.inputs[0].shape, &to = q.layer().output.shape;
  return interpolated(q, [&](std::size_t extent, double place) {
    if (to[extent] == 1) return 0.0;
    return place * static_cast<double>(from[extent] - 1) / static_cast<double>(to[extent] - 1);
  });
}

// The profile of an image whose place p, along `axis`, shows what was at from(axis, p); zeros where that is outside.
template <class From>
ProfilePointer moved_profile(const MomentQuery& q, const From& from) {
  Shape extents = image_extents(q.setting.inputs[0].shape);
  const Shape to = image_extents(q.layer().output.shape);
  Profile numbers = profile_values(q.profiles[0], extents);
  for (std::size_t axis = 0; axis < extents.size(); ++axis) {
    numbers =
        along_axis(numbers, extents, axis, to[axis], [&](std::int64_t place, const float* line, std::size_t stride) {
          const std::int64_t at = from(axis, place);
          return at < 0 || at >= extents[axis] ? 0.0F : line[static_cast<std::size_t>(at) * stride];
        });
    extents[axis] = to[axis];
  }
  return normalised_profile(std::move(numbers));
}

ProfilePointer padded_profile(const MomentQuery& q, const MomentResult& /*answer*/) {
  const Margins margins = read_margins(q.setting, "padding");
  return moved_profile(q, [&](std::size_t axis, std::int64_t place) { return place - margins.before[axis]; });
}

ProfilePointer cropped_profile(const MomentQuery& q, const MomentResult& /*answer*/) {
  const Margins margins = read_margins(q.setting, "margin");
  return moved_profile(q, [&](std::size_t axis, std::int64_t place) { return place + margins.before[axis]; });
}

// Between neighbours it is taken as uniform.
ProfilePointer up_sampled_profile(const MomentQuery& q, const MomentResult& /*answer*/) {
  if (q.setting.word("mode") != "nearest") return {};
  const std::int64_t factor = q.setting.integer("factor");
  return moved_profile(q, [&](std::size_t /*axis*/, std::int64_t place) { return place / factor; });
}

// The same numbers at other places, even where they are as many.
SizeVariance rearranged_spread(const MomentQuery& q, const MomentResult& /*answer*/) {
  SizeVariance spread = *q.spreads[0];
  spread.deviations.reset();
  return spread;
}

// Places become numbers of one list: its mean square is the average over all of them.
SizeVariance flattened_spread(const MomentQuery& q, const MomentResult& /*answer*/) {
  const SizeVariance& input = *q.spreads[0];
  SizeVariance spread = {.extents = 0, .shared = {0}, .far = input.far};
  spread.shared[0] = input.far + input.own_far / static_cast<double>(q.setting.inputs[0].channels());
  spread.own = std::max(0.0, input.own - input.own_far);
  return spread;
}

constexpr MomentMapRow kRows[] = {
    {kZeroPaddingLayer, map_zero_padding, padded_profile, usual_spread},
    {kCroppingLayer, map_same, cropped_profile, same_spread},
    {kSliceLayer, map_same, uniform_profile, same_spread},
    {kUpSamplingLayer, map_up_sampling, up_sampled_profile, usual_spread},
    {kResizeLayer, map_resize, uniform_profile, usual_spread},
    {kFlattenLayer, map_same, uniform_profile, flattened_spread},
    {kReshapeLayer, map_same, uniform_profile, rearranged_spread},
    {kPermuteLayer, map_same, uniform_profile, rearranged_spread},
};

}  // namespace

std::span<const MomentMapRow> shape_maps() { return kRows; }

}  // namespace actforge
