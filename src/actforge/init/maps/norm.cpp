// Normalisations.
#include <algorithm>

#include "actforge/init/maps/moment_map_table.h"
#include "actforge/net/layers/layers.h"

namespace actforge {
namespace {

// Mean and mean square of a weight: of the file's numbers, or of those it begins with.
SignalMoments weight_moments(const MomentQuery& q, std::string_view name) {
  for (std::size_t i = 0; i < q.layer().weights.size(); ++i) {
    const Weight& weight = q.layer().weights[i];
    if (weight.name != name) continue;
    const std::vector<float> values = q.file != nullptr && *q.file ? (*q.file)(q.id, i) : std::vector<float>();
    if (values.empty()) return {weight.initial, 0};
    MixedMoments mixed;
    for (const float value : values) mixed.add(1, {static_cast<double>(value), 0});
    return mixed.moments();
  }
  return {0, 0};
}

// What is normalised by one mean and one variance.
struct Normalised {
  bool single = false;          // a single number, which becomes zero
  bool single_channel = false;  // all places of one channel, and nothing else
};

// y = (x - mean)/√(variance + ε) has mean 0 and variance v/(v + ε); then gain and offset, which vary between channels.
//   E y² = E gain² v/(v + ε) + E offset²
// What all places of a channel have in common is taken away where a channel is normalised by itself.
MomentResult normalised(const MomentQuery& q, const Normalised& together) {
  const double v = q.inputs[0].variance;
  const double share = together.single || v == 0 ? 0 : v / (v + q.setting.number("epsilon"));
  const SignalMoments gain = weight_moments(q, "gain"), offset = weight_moments(q, "offset");
  const double kept = together.single_channel ? 0 : q.inputs[0].correlation;
  const double scaled = gain.square() * share;
  return {SignalMoments::of(offset.mean, scaled + offset.variance, scaled * kept + offset.variance)};
}

MomentResult normalised_in_sample(const MomentQuery& q, std::int64_t together) {
  const Signal& input = q.setting.inputs[0];
  return normalised(
      q, {.single = together == 1, .single_channel = together == element_count(input.shape) / input.channels()});
}

// The batch is normalised together too.
MomentResult map_batch_norm(const MomentQuery& q) { return normalised(q, {.single_channel = true}); }

MomentResult map_layer_norm(const MomentQuery& q) { return normalised_in_sample(q, q.setting.inputs[0].channels()); }

MomentResult map_group_norm(const MomentQuery& q) {
  return normalised_in_sample(q, element_count(q.setting.inputs[0].shape) / q.setting.integer("groups"));
}

// What is normalised together gets one size; `common` is the part of the spread that it has in common.
SizeVariance without_common(const MomentQuery& q, const MomentResult& answer, double common) {
  SizeVariance spread = *q.spreads[0];
  for (double& value : spread.shared) value = std::max(0.0, value - common);
  spread.far = 0;
  set_normal(spread, answer.output);
  return spread;
}

// Each place.
SizeVariance layer_norm_spread(const MomentQuery& q, const MomentResult& answer) {
  return without_common(q, answer, q.spreads[0]->here());
}

// Each sample or each channel.
SizeVariance norm_spread(const MomentQuery& q, const MomentResult& answer) {
  return without_common(q, answer, q.spreads[0]->far);
}

// Layer normalisation makes all places alike.
constexpr MomentMapRow kRows[] = {
    {kBatchNormLayer, map_batch_norm, same_profile, norm_spread},
    {kLayerNormLayer, map_layer_norm, uniform_profile, layer_norm_spread},
    {kGroupNormLayer, map_group_norm, same_profile, norm_spread},
};

}  // namespace

std::span<const MomentMapRow> norm_maps() { return kRows; }

}  // namespace actforge
