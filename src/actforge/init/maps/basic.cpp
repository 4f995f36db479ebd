// Where signals come in, and what acts on each number alone.
#include <algorithm>
#include <cmath>

#include "actforge/expr/language/print.h"
#include "actforge/init/maps/mixed_response.h"
#include "actforge/init/maps/moment_map_table.h"
#include "actforge/init/moments/activation_moments.h"
#include "actforge/net/layers/layers.h"

namespace actforge {
namespace {

MomentResult map_input(const MomentQuery& q) { return {q.data}; }

MomentResult map_constant(const MomentQuery& q) { return {{q.setting.number("mean"), q.setting.number("variance")}}; }

MomentResult map_opaque(const MomentQuery& q) {
  return {.output = q.inputs.empty() ? SignalMoments() : q.inputs[0],
          .how = MomentMethod::kPassThrough,
          .problem = "layers of type '" + q.setting.word("type") + "' are not known"};
}

// ---- activations

std::shared_ptr<const ActivationMoments> compute_moments(const MomentQuery& q) {
  return std::make_shared<const ActivationMoments>(
      activation_moments(q.setting.function("function"), q.inputs[0], q.centred));
}

std::shared_ptr<const ActivationMoments> cached_moments(const MomentQuery& q) {
  if (q.activations == nullptr) return compute_moments(q);
  const SignalMoments& x = q.inputs[0];
  auto& moments = (*q.activations)[{to_call(q.setting.function("function")), x.mean, x.variance}];
  if (moments == nullptr) moments = compute_moments(q);
  return moments;
}

MixedResponse response_to_sizes(const MomentQuery& q, const SizeResponse& sizes) {
  const ProfilePointer profile = first_profile(q);
  if (q.spreads.empty()) return mixed_response(sizes, profile, 0, {});
  return mixed_response(sizes, profile, q.spreads[0]->here(), q.spreads[0]->deviations);
}

// For normal numbers, see activation_moments.h; then for mixtures of them, of different sizes: mixed_response.h.
MomentResult map_activation(const MomentQuery& q) {
  std::shared_ptr<const ActivationMoments> f = cached_moments(q);
  if (!f->problem.empty()) return {.output = q.inputs[0], .how = MomentMethod::kPassThrough, .problem = f->problem};
  const auto mixed = std::make_shared<const MixedResponse>(response_to_sizes(q, f->sizes));
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

// `mixed` and `activation` are null where the function has no moments, or a rule of the user's own stands for it.
ProfilePointer activation_profile(const MomentQuery& /*q*/, const MomentResult& answer) {
  return answer.mixed != nullptr ? answer.mixed->profile : ProfilePointer();
}

SizeVariance activation_spread(const MomentQuery& q, const MomentResult& answer) {
  if (answer.activation == nullptr) return usual_spread(q, answer);
  SizeVariance spread = *q.spreads[0];
  const ActivationMoments& f = *answer.activation;
  const MixedResponse& mixed = *answer.mixed;
  const double mean = f.square.mean(), own = f.square.square / (mean * mean) - 1;
  if (!(mean > 0) || !std::isfinite(own) || !std::isfinite(mixed.own) || !std::isfinite(mixed.spread)) return spread;
  scale_to(spread, mixed.spread);
  spread.deviations = mixed.deviations;
  spread.own = mixed.own;
  // The share of it that another place has is that of normal numbers.
  const double far = f.square.product(q.inputs[0].correlation) / (mean * mean) - 1;
  spread.own_far = own > 0 ? far / own * mixed.own : 0;
  return spread;
}

// ---- dropout

// A number is zero with probability r and x/(1-r) otherwise: E y = m, E y² = (v + m²)/(1-r), whatever m is. `product`
// is E y y' of two places.
MomentResult dropped(const MomentQuery& q, double product) {
  const SignalMoments& x = q.inputs[0];
  const double kept = 1 - q.setting.number("rate"), squared_mean = x.mean * x.mean;
  return {SignalMoments::of(x.mean, x.square() / kept - squared_mean, product - squared_mean)};
}

MomentResult map_dropout(const MomentQuery& q) { return dropped(q, q.inputs[0].product()); }

// Dropping whole channels changes what is dropped together, not how often: E y y' of two places is (E x x')/(1-r) too.
MomentResult map_spatial_dropout(const MomentQuery& q) {
  return dropped(q, q.inputs[0].product() / (1 - q.setting.number("rate")));
}

// y = x/(1-r) or 0: E y⁴/(E y²)² = E x⁴/(E x²)²/(1-r)
SizeVariance dropout_spread(const MomentQuery& q, const MomentResult& /*answer*/) {
  SizeVariance spread = *q.spreads[0];
  spread.own = (1 + spread.own) / (1 - q.setting.number("rate")) - 1;
  return spread;
}

// Places are dropped together, so that the same holds for their product.
SizeVariance spatial_dropout_spread(const MomentQuery& q, const MomentResult& answer) {
  SizeVariance spread = dropout_spread(q, answer);
  spread.own_far = (1 + spread.own_far) / (1 - q.setting.number("rate")) - 1;
  return spread;
}

constexpr MomentMapRow kRows[] = {
    {kInputLayer, map_input, uniform_profile, usual_spread},
    {kConstantLayer, map_constant, uniform_profile, usual_spread},
    {kOpaqueLayer, map_opaque, uniform_profile, usual_spread},
    {kActivationLayer, map_activation, activation_profile, activation_spread},
    {kDropoutLayer, map_dropout, same_profile, dropout_spread},
    {kSpatialDropoutLayer, map_spatial_dropout, same_profile, spatial_dropout_spread},
};

}  // namespace

std::span<const MomentMapRow> basic_maps() { return kRows; }

}  // namespace actforge
