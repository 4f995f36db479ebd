// Layers that bring several signals together. Different inputs count as independent; the same one given twice does not.
#include <algorithm>
#include <cmath>
#include <map>

#include "actforge/init/maps/moment_map_table.h"
#include "actforge/init/moments/normal_maximum.h"
#include "actforge/init/moments/softmax_moments.h"
#include "actforge/net/graph/axes.h"
#include "actforge/net/layers/layers.h"

namespace actforge {
namespace {

// Σ factorᵢ xᵢ
SignalMoments weighted_sum(const MomentQuery& q, const std::vector<double>& factors) {
  std::map<LayerId, std::pair<double, SignalMoments>> terms;
  for (std::size_t i = 0; i < q.inputs.size(); ++i) {
    auto& [factor, moments] = terms[q.layer().inputs[i]];
    factor += factors[i];
    moments = q.inputs[i];
  }
  double mean = 0, variance = 0, covariance = 0;
  for (const auto& [id, term] : terms) {
    mean += term.first * term.second.mean;
    variance += term.first * term.first * term.second.variance;
    covariance += term.first * term.first * term.second.covariance();
  }
  return SignalMoments::of(mean, variance, covariance);
}

SignalMoments equal_sum(const MomentQuery& q, double factor) {
  return weighted_sum(q, std::vector<double>(q.inputs.size(), factor));
}

// E xⁿ of a normal variable: M₀ = 1, M₁ = m, Mₙ = m Mₙ₋₁ + (n-1) v Mₙ₋₂.
double normal_power(const SignalMoments& x, std::size_t power) {
  double before = 1, now = x.mean;
  if (power == 0) return 1;
  for (std::size_t n = 2; n <= power; ++n) {
    const double next = x.mean * now + static_cast<double>(n - 1) * x.variance * before;
    before = now;
    now = next;
  }
  return now;
}

std::vector<SignalMoments> distinct_inputs(const MomentQuery& q, double sign) {
  std::map<LayerId, SignalMoments> distinct;
  for (std::size_t i = 0; i < q.inputs.size(); ++i) {
    distinct[q.layer().inputs[i]] = {sign * q.inputs[i].mean, q.inputs[i].variance};
  }
  std::vector<SignalMoments> list;
  list.reserve(distinct.size());
  for (const auto& [id, moments] : distinct) list.push_back(moments);
  return list;
}

// What maximum and minimum leave of the correlation of places: about what their inputs have.
SignalMoments with_correlation(const MomentQuery& q, SignalMoments y) {
  double covariance = 0, variance = 0;
  for (const SignalMoments& x : q.inputs) covariance += x.covariance(), variance += x.variance;
  y.correlation = variance > 0 ? covariance / variance : 0;
  return y;
}

// Whether the numbers that a matmul's first matrix brings to each sum are a softmax's, which add up to one.
bool sums_to_one(const MomentQuery& q) {
  const LayerId first = q.layer().inputs[0];
  if (q.network.layer(first).kind != &kSoftmaxLayer || q.setting.flag("transpose_a")) return false;
  return softmax_axis(q.network.setting(first)) + 1 == q.setting.inputs[0].shape.size();
}

MomentResult map_add(const MomentQuery& q) { return {equal_sum(q, 1)}; }

MomentResult map_subtract(const MomentQuery& q) { return {weighted_sum(q, {1, -1})}; }

MomentResult map_average(const MomentQuery& q) { return {equal_sum(q, 1 / static_cast<double>(q.inputs.size()))}; }

MomentResult map_weighted_sum(const MomentQuery& q) {
  std::vector<double> factors(q.inputs.size(), q.setting.number("initial"));
  const std::vector<float> known = q.file != nullptr && *q.file ? (*q.file)(q.id, 0) : std::vector<float>();
  if (known.size() == factors.size()) factors.assign(known.begin(), known.end());
  return {weighted_sum(q, factors)};
}

// E Π x = Π E x and E (Π x)² = Π E x²; an input that stands n times in the product is xⁿ. E y y' of two places is the
// product of theirs; one number that is spread over all places, such as the gate of a channel, is the same in both.
MomentResult map_multiply(const MomentQuery& q) {
  std::map<LayerId, std::pair<std::size_t, SignalMoments>> factors;
  for (std::size_t i = 0; i < q.inputs.size(); ++i) {
    auto& [power, moments] = factors[q.layer().inputs[i]];
    ++power;
    moments = q.inputs[i];
  }
  double mean = 1, square = 1, product = 1;
  for (const auto& [id, factor] : factors) {
    const auto& [power, x] = factor;
    const double first = normal_power(x, power), second = normal_power(x, 2 * power);
    const double correlation = q.network.layer(id).output.shape == q.layer().output.shape ? x.correlation : 1;
    mean *= first;
    square *= second;
    product *= first * first + correlation * (second - first * first);
  }
  return {SignalMoments::of(mean, std::max(0.0, square - mean * mean), product - mean * mean)};
}

MomentResult map_maximum(const MomentQuery& q) { return {with_correlation(q, maximum_of(distinct_inputs(q, 1)))}; }

// The least of some is minus the largest of their opposites.
MomentResult map_minimum(const MomentQuery& q) {
  const SignalMoments largest = maximum_of(distinct_inputs(q, -1));
  return {with_correlation(q, {-largest.mean, largest.variance})};
}

MomentResult map_concatenate(const MomentQuery& q) {
  MixedMoments mixed;
  for (std::size_t i = 0; i < q.inputs.size(); ++i) {
    mixed.add(static_cast<double>(element_count(q.setting.inputs[i].shape)), q.inputs[i]);
  }
  return {mixed.moments()};
}

// Σ a b over n pairs: mean n E a E b, variance n (E a² E b² - (E a E b)²). Where the a of each sum add up to one, as
// those of attention do, what all b have in common passes unchanged: their mean, which adds nothing to the variance,
// and the part ρ Var b of their variance; of the rest there is n E a² (1-ρ) Var b.
MomentResult map_matmul(const MomentQuery& q) {
  const Shape& a_shape = q.setting.inputs[0].shape;
  const auto n = static_cast<double>(a_shape[a_shape.size() - (q.setting.flag("transpose_a") ? 2 : 1)]);
  const double scale = q.setting.number("scale");
  const SignalMoments &a = q.inputs[0], &b = q.inputs[1];
  if (sums_to_one(q)) {
    const double common = std::max(0.0, b.covariance());
    const double variance = common + n * a.square() * (b.variance - common);
    return {SignalMoments::of(scale * b.mean, scale * scale * variance, scale * scale * common)};
  }
  const double mean = a.mean * b.mean;
  return {{scale * n * mean, scale * scale * n * (a.square() * b.square() - mean * mean)}};
}

MomentResult map_softmax(const MomentQuery& q) {
  const auto count = static_cast<double>(q.setting.inputs[0].shape[softmax_axis(q.setting)]);
  return {softmax_moments(count, q.inputs[0].variance)};
}

// Several inputs: each with its share of the second moment, times its `weight`. None where they are spread over each
// other's places.
template <class Weight>
ProfilePointer mixed_profile(const MomentQuery& q, const Weight& weight) {
  const Shape extents = image_extents(q.layer().output.shape);
  Profile sum(static_cast<std::size_t>(element_count(extents)), 0);
  // Relative to it: signals that explode are beyond the largest float.
  double largest = 0;
  for (const SignalMoments& input : q.inputs) largest = std::max(largest, input.square());
  for (std::size_t i = 0; i < q.inputs.size(); ++i) {
    const Shape& shape = q.setting.inputs[i].shape;
    if (image_extents(shape) != extents) return {};
    const double relative = largest > 0 ? q.inputs[i].square() / largest : 0;
    const auto share = static_cast<float>(relative * weight(shape));
    const Profile part = profile_values(q.profiles[i], extents);
    for (std::size_t p = 0; p < sum.size(); ++p) sum[p] += share * part[p];
  }
  return normalised_profile(std::move(sum));
}

bool is_uniform(const MomentQuery& q) {
  return std::all_of(q.profiles.begin(), q.profiles.end(), [](const auto& profile) { return profile == nullptr; });
}

ProfilePointer added_profile(const MomentQuery& q, const MomentResult& /*answer*/) {
  return is_uniform(q) ? ProfilePointer() : mixed_profile(q, [](const Shape& /*shape*/) { return 1.0; });
}

// Of channels beside each other, by their number.
ProfilePointer concatenated_profile(const MomentQuery& q, const MomentResult& /*answer*/) {
  if (is_uniform(q) || concatenate_axis(q.setting) != 0) return {};
  return mixed_profile(q, [](const Shape& shape) { return static_cast<double>(shape[0]); });
}

constexpr MomentMapRow kRows[] = {
    {kAddLayer, map_add, added_profile, usual_spread},
    {kSubtractLayer, map_subtract, added_profile, usual_spread},
    {kAverageLayer, map_average, added_profile, usual_spread},
    {kWeightedSumLayer, map_weighted_sum, added_profile, usual_spread},
    {kMultiplyLayer, map_multiply, uniform_profile, multiplied_spread},
    {kMaximumLayer, map_maximum, added_profile, usual_spread},
    {kMinimumLayer, map_minimum, added_profile, usual_spread},
    {kConcatenateLayer, map_concatenate, concatenated_profile, usual_spread},
    {kMatmulLayer, map_matmul, uniform_profile, usual_spread},
    {kSoftmaxLayer, map_softmax, uniform_profile, usual_spread},
};

}  // namespace

std::span<const MomentMapRow> merge_maps() { return kRows; }

}  // namespace actforge
