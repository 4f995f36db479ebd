// Where signals come in, and what acts on each number alone.
#include <algorithm>
#include <cmath>

#include "actforge/init/activation_moments.h"
#include "actforge/init/layer_map.h"
#include "actforge/init/mixed_response.h"
#include "actforge/init/signal_spread.h"
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

}  // namespace

MapAnswer map_input(const MapQuestion& q) { return {q.data}; }

MapAnswer map_constant(const MapQuestion& q) { return {{q.setting.number("mean"), q.setting.number("variance")}}; }

MapAnswer map_opaque(const MapQuestion& q) {
  return {.output = first_input(q),
          .how = MapHow::kPassThrough,
          .problem = "layers of type '" + q.setting.word("type") + "' are not known"};
}

// For normal numbers, see activation_moments.h; then for mixtures of them, of different sizes: mixed_response.h.
MapAnswer map_activation(const MapQuestion& q, std::shared_ptr<const ActivationMoments> f) {
  if (!f->problem.empty()) return {.output = q.inputs[0], .how = MapHow::kPassThrough, .problem = f->problem};
  const ProfilePointer profile = q.profiles.empty() ? ProfilePointer() : q.profiles[0];
  const auto mixed = std::make_shared<const MixedResponse>(
      q.spreads.empty() ? mixed_response(f->sizes, profile, 0, {})
                        : mixed_response(f->sizes, profile, q.spreads[0]->here(), q.spreads[0]->deviations));
  // Where all sizes are one, exactly the moments of normal numbers.
  const SignalMoments plain = {q.centred ? 0 : f->output.mean, f->output.variance};
  const SizeResponse::At one = f->sizes.at(0);
  const double factor = one.square > 0 ? mixed->square / one.square : 1;
  const double mean = plain.mean + mixed->mean - one.mean;
  const double variance = factor * plain.square() - mean * mean;
  // E f f' of two places, by Mehler's formula.
  const double squared_mean = f->value.mean() * f->value.mean(), all = f->value.square - squared_mean;
  const double covariance = f->value.product(q.inputs[0].correlation) - squared_mean;
  const double correlation = all > 0 ? std::clamp(covariance / all, -1.0, 1.0) : 0;
  return {.output = {mean, std::max(0.0, variance), correlation}, .activation = std::move(f), .mixed = mixed};
}

MapAnswer map_activation(const MapQuestion& q) {
  const Expr& function = q.setting.function("function");
  return map_activation(q, std::make_shared<ActivationMoments>(activation_moments(function, q.inputs[0], q.centred)));
}

// A number is zero with probability r and x/(1-r) otherwise: E y = m, E y² = (v + m²)/(1-r), whatever m is. Dropping
// whole channels changes what is dropped together, not how often: E y y' of two places is (E x x')/(1-r) too, where
// they go together, and E x x' where each goes by itself.
MapAnswer map_dropout(const MapQuestion& q) {
  const SignalMoments& x = q.inputs[0];
  const double kept = 1 - q.setting.number("rate"), squared_mean = x.mean * x.mean;
  const double product = q.setting.kind == &kSpatialDropoutLayer ? x.product() / kept : x.product();
  return {SignalMoments::of(x.mean, x.square() / kept - squared_mean, product - squared_mean)};
}

// y = (x - mean)/√(variance + ε) has mean 0 and variance v/(v + ε); then gain and offset, which vary between channels.
//   E y² = E gain² v/(v + ε) + E offset²
// What all places of a channel have in common is taken away where a channel is normalised by itself.
MapAnswer map_norm(const MapQuestion& q) {
  const double v = q.inputs[0].variance, together = normalised_together(q);
  // Numbers that are normalised alone become zero.
  const double share = together == 1 || v == 0 ? 0 : v / (v + q.setting.number("epsilon"));
  const SignalMoments gain = weight_moments(q, "gain"), offset = weight_moments(q, "offset");
  const bool alone =
      q.setting.kind == &kBatchNormLayer || together * static_cast<double>(q.setting.inputs[0].channels()) ==
                                                static_cast<double>(element_count(q.setting.inputs[0].shape));
  const double kept = alone ? 0 : q.inputs[0].correlation;
  const double scaled = gain.square() * share;
  return {SignalMoments::of(offset.mean, scaled + offset.variance, scaled * kept + offset.variance)};
}

}  // namespace actforge
