// Where signals come in, and what acts on each number alone.
#include <cmath>

#include "actforge/expr/moments.h"
#include "actforge/init/layer_map.h"
#include "actforge/net/layers.h"

namespace actforge {
namespace {

SignalMoments first_input(const MapQuestion& q) { return q.inputs.empty() ? SignalMoments() : q.inputs[0]; }

// How many numbers share one mean and one variance in a sample; 0 where the batch shares them too.
double normalised_together(const MapQuestion& q) {
  const Signal& input = q.setting.inputs[0];
  if (q.setting.kind == &kBatchNormLayer) return 0;
  if (q.setting.kind == &kLayerNormLayer) return static_cast<double>(input.channels());
  return static_cast<double>(element_count(input.shape) / q.setting.integer("groups"));
}

// Mean and mean square of a weight: of the file's numbers, or of those it begins with.
SignalMoments weight_moments(const MapQuestion& q, std::string_view name) {
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

// d log E f² / d log E x², by a difference: where an image's places differ, they differ by some tens of percent.
double local_power(const Reference& function, MomentOptions options, const Moments& here) {
  constexpr double kLess = 0.7;
  const double square = options.variance + options.mean * options.mean;
  options.variance *= kLess;
  options.mean *= std::sqrt(kLess);
  const Moments less = gaussian_moments(function, options);
  if (!(square > 0) || !(here.second_moment > 0) || !(less.second_moment > 0)) return 1;
  return std::log(less.second_moment / here.second_moment) / std::log(kLess);
}

}  // namespace

MapAnswer map_input(const MapQuestion& q) { return {q.data}; }

MapAnswer map_constant(const MapQuestion& q) { return {{q.setting.number("mean"), q.setting.number("variance")}}; }

MapAnswer map_opaque(const MapQuestion& q) {
  return {.output = first_input(q),
          .how = MapHow::kPassThrough,
          .problem = "layers of type '" + q.setting.word("type") + "' are not known"};
}

MapAnswer map_activation(const MapQuestion& q) {
  const Reference function(q.setting.function("function"));
  // Far more exact than the assumption that x is normal.
  const MomentOptions options = {
      .mean = q.inputs[0].mean, .variance = q.inputs[0].variance, .tolerance = 1e-7, .derivative = false};
  const Moments moments = gaussian_moments(function, options);
  if (std::isfinite(moments.mean) && std::isfinite(moments.variance)) {
    return {.output = {moments.mean, moments.variance}, .power = local_power(function, options, moments)};
  }
  return {.output = q.inputs[0],
          .how = MapHow::kPassThrough,
          .problem = moments.problems.empty() ? "the function has no finite moments" : moments.problems[0]};
}

// A number is zero with probability r and x/(1-r) otherwise: E y = m, E y² = (v + m²)/(1-r), whatever m is. Dropping
// whole channels changes what is dropped together, not how often.
MapAnswer map_dropout(const MapQuestion& q) {
  const SignalMoments& x = q.inputs[0];
  return {{x.mean, x.square() / (1 - q.setting.number("rate")) - x.mean * x.mean}};
}

// y = (x - mean)/√(variance + ε) has mean 0 and variance v/(v + ε); then gain and offset, which vary between channels.
//   E y² = E gain² v/(v + ε) + E offset²
MapAnswer map_norm(const MapQuestion& q) {
  const double v = q.inputs[0].variance, together = normalised_together(q);
  // Numbers that are normalised alone become zero.
  const double share = together == 1 || v == 0 ? 0 : v / (v + q.setting.number("epsilon"));
  const SignalMoments gain = weight_moments(q, "gain"), offset = weight_moments(q, "offset");
  return {{offset.mean, gain.square() * share + offset.variance}};
}

}  // namespace actforge
