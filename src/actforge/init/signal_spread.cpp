#include "actforge/init/signal_spread.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "actforge/init/activation_moments.h"
#include "actforge/init/along_axis.h"
#include "actforge/init/mixed_response.h"
#include "actforge/net/axes.h"
#include "actforge/net/layers.h"
#include "actforge/net/window.h"

namespace actforge {
namespace {

constexpr std::int64_t kReach = SignalSpread::kReach, kSide = 2 * kReach + 1;
// Beyond this the expansion in small deviations says nothing; larger ones are kept at it.
constexpr double kMost = 4;

std::size_t place_extents(const Signal& signal) {
  return std::min<std::size_t>(3, signal.shape.empty() ? 0 : signal.shape.size() - 1);
}

Shape grid_of(std::size_t extents) { return Shape(extents, kSide); }

// Var x²/(E x²)², or the covariance of two places, of normal numbers:
//   cov(x², y²) = 4 m² cov(x, y) + 2 cov(x, y)²
double normal_own(const SignalMoments& x, double covariance) {
  const double square = x.square();
  if (!(square > 0)) return 0;
  return (4 * x.mean * x.mean * covariance + 2 * covariance * covariance) / (square * square);
}

void set_normal(SignalSpread& spread, const SignalMoments& output) {
  spread.own = normal_own(output, output.variance);
  spread.own_far = normal_own(output, output.covariance());
}

// The same numbers, at places of another kind.
SignalSpread with_extents(const SignalSpread& old, std::size_t extents) {
  if (old.extents == extents) return old;
  SignalSpread spread = old;
  spread.extents = extents;
  spread.shared.assign(static_cast<std::size_t>(element_count(grid_of(extents))), old.far);
  spread.shared[spread.shared.size() / 2] = old.here();
  return spread;
}

// 1/k² Σ D(s d + j - i) over pairs of points of a window, along every extent in turn.
void average_windows(SignalSpread& spread, const Window& window) {
  for (std::size_t axis = 0; axis < spread.extents; ++axis) {
    const std::int64_t size = window.size[axis], dilation = window.dilation[axis], stride = window.stride[axis];
    spread.shared = along_axis(
        spread.shared, grid_of(spread.extents), axis, kSide,
        [&](std::int64_t place, const double* line, std::size_t step) {
          double sum = 0;
          for (std::int64_t shift = 1 - size; shift < size; ++shift) {
            const std::int64_t at = (place - kReach) * stride + shift * dilation;
            const auto pairs = static_cast<double>(size - std::abs(shift));
            sum += pairs * (std::abs(at) > kReach ? spread.far : line[static_cast<std::size_t>(at + kReach) * step]);
          }
          return sum / static_cast<double>(size * size);
        });
  }
}

// Makes C(0) that of the function's output, and of 1 + C at every distance the same power.
void scale_to(SignalSpread& spread, double here) {
  if (!(spread.here() > 0)) return;
  const double power = std::log1p(here) / std::log1p(spread.here());
  const auto scaled = [&](double value) { return std::clamp(std::pow(1 + value, power) - 1, 0.0, kMost); };
  for (double& value : spread.shared) value = scaled(value);
  spread.far = scaled(spread.far);
}

// Adds what the numbers of n channels contribute by themselves to the mean square of a place. They are multiples of e:
//   E a²(p) a²(q) = (1 + C(d)) (1 + cov(η, η'))
void add_own(SignalSpread& spread, double channels) {
  const double center = spread.here();
  for (double& value : spread.shared) value += spread.own_far * (1 + value) / channels;
  spread.far += spread.own_far * (1 + spread.far) / channels;
  const auto with_own = [&](double value) { return value + spread.own * (1 + value) / channels; };
  spread.shared[spread.shared.size() / 2] = with_own(center);
  if (spread.deviations == nullptr) return;
  Profile deviations = *spread.deviations;
  for (float& g : deviations) g = std::sqrt(static_cast<float>(with_own(static_cast<double>(g * g) * center)));
  spread.deviations = relative_deviations(std::move(deviations), std::sqrt(spread.here()));
}

// Of a place whose window lies over larger and smaller ones, which count as much as they are large.
void average_deviations(SignalSpread& spread, const MapQuestion& q, const Window& window) {
  if (spread.deviations == nullptr) return;
  const Shape extents = spatial_extents(q.setting);
  spread.deviations = relative_deviations(window_averages(*spread.deviations, q.profiles[0], extents, window), 1);
}

// Channels whose squares one output number sums.
double summed_channels(const MapQuestion& q) {
  if (q.setting.kind == &kDenseLayer) return static_cast<double>(q.setting.inputs[0].channels());
  const Weight& kernel = q.layer().weights[0];
  const bool transposed = q.setting.kind == &kTransposedConvLayer;
  return static_cast<double>(transposed ? kernel.shape[0] / q.setting.integer("groups") : kernel.shape[1]);
}

// Two places of an output channel have the covariance Σ x x' over the points of their windows, the average of n numbers
// that vary themselves. The variance of that average adds to the square of its mean.
double varying_covariance(const MapQuestion& q, double terms) {
  const SignalMoments& x = q.inputs[0];
  const double mean = x.square() > 0 ? x.product() / x.square() : 0;
  return std::max(0.0, 1 + q.spreads[0]->own_far - mean * mean) / terms;
}

SignalSpread after_kernel(const MapQuestion& q, const SignalMoments& output) {
  SignalSpread spread = *q.spreads[0];
  const double channels = summed_channels(q), all = static_cast<double>(q.setting.inputs[0].channels());
  const bool moves = q.setting.kind == &kConvLayer || q.setting.kind == &kDepthwiseConvLayer;
  const Window window = moves ? read_window(q.setting, "kernel") : Window();
  if (channels == all) {
    add_own(spread, channels);
    if (moves) average_windows(spread, window), average_deviations(spread, q, window);
    set_normal(spread, output);
    const Weight& kernel = q.layer().weights[0];
    spread.own_far += 2 * varying_covariance(q, static_cast<double>(kernel.fan_in));
    return spread;
  }
  // In groups, each of which has a mean square e of its own: then that is a property of the number, z² = e g²:
  //   E z⁴/(E z²)² = 3 (1 + var e)
  SignalSpread group = {.extents = spread.extents, .shared = std::vector<double>(spread.shared.size(), 0), .far = 0};
  group.own = spread.own, group.own_far = spread.own_far;
  add_own(group, channels);
  if (moves) {
    average_windows(spread, window), average_deviations(spread, q, window);
    average_windows(group, window);
  }
  spread.own = 2 + 3 * group.here();
  spread.own_far = (1 + group.far) * (1 + normal_own(output, output.covariance())) - 1;
  return spread;
}

SignalSpread after_activation(const SignalSpread& input, const MapAnswer& answer, double correlation) {
  SignalSpread spread = input;
  const ActivationMoments& f = *answer.activation;
  const MixedResponse& mixed = *answer.mixed;
  const double mean = f.square.mean(), own = f.square.square / (mean * mean) - 1;
  if (!(mean > 0) || !std::isfinite(own) || !std::isfinite(mixed.own) || !std::isfinite(mixed.spread)) return spread;
  scale_to(spread, mixed.spread);
  spread.deviations = mixed.deviations;
  spread.own = mixed.own;
  // The share of it that another place has is that of normal numbers.
  const double far = f.square.product(correlation) / (mean * mean) - 1;
  spread.own_far = own > 0 ? far / own * mixed.own : 0;
  return spread;
}

// y = x/(1-r) or 0: E y⁴/(E y²)² = E x⁴/(E x²)²/(1-r); where places are dropped together, so for their product.
SignalSpread after_dropout(const MapQuestion& q) {
  SignalSpread spread = *q.spreads[0];
  const double kept = 1 - q.setting.number("rate");
  spread.own = (1 + spread.own) / kept - 1;
  if (q.setting.kind == &kSpatialDropoutLayer) spread.own_far = (1 + spread.own_far) / kept - 1;
  return spread;
}

// Deviations that several signals have in common, and what each adds of its own: inputs of one layer mostly come from
// one signal, whose deviation they all have; the least of theirs counts as that.
//   Σ w δ = (Σ w) δ₀ + Σ w δ',   variance (Σ w)² C₀ + Σ w² (C - C₀)
class CommonDeviation {
 public:
  explicit CommonDeviation(std::size_t size) : least_(size, kMost), sum_(size, 0) {}
  void add(double weight, std::size_t place, double covariance) {
    least_[place] = std::min(least_[place], covariance);
    sum_[place] += weight * weight * covariance;
  }
  // The sums of the weights, and of their squares.
  double result(std::size_t place, double weights, double squares) const {
    return std::clamp((weights * weights - squares) * least_[place] + sum_[place], 0.0, kMost);
  }

 private:
  std::vector<double> least_, sum_;
};

// Of several inputs, each with its share of the variance.
ProfilePointer merged_deviations(const MapQuestion& q) {
  Profile sum;
  double whole = 0, total = 0;
  for (const SignalMoments& input : q.inputs) whole += input.square();
  for (const auto& part : q.spreads) {
    if (part->deviations != nullptr) sum.resize(std::max(sum.size(), part->deviations->size()), 0);
  }
  for (std::size_t i = 0; i < q.inputs.size() && !sum.empty(); ++i) {
    const ProfilePointer& deviations = q.spreads[i]->deviations;
    if (deviations != nullptr && deviations->size() != sum.size()) return {};
    // Of the whole: signals that explode have squares beyond the largest float.
    const double part = whole > 0 ? q.inputs[i].square() / whole : 0, share = part * part * q.spreads[i]->here();
    for (std::size_t p = 0; p < sum.size(); ++p) {
      const float g = deviations != nullptr ? (*deviations)[p] : 1;
      sum[p] += static_cast<float>(share) * g * g;
    }
    total += share;
  }
  for (float& value : sum) value = std::sqrt(value);
  return sum.empty() ? ProfilePointer() : relative_deviations(std::move(sum), std::sqrt(total));
}

// Inputs whose mean squares add, with their shares of it, or multiply.
SignalSpread merged(const MapQuestion& q, bool product) {
  const std::size_t extents = place_extents(q.layer().output);
  SignalSpread sum = with_extents(SignalSpread(), extents);
  double total = 0, weights = 0, squares = 0;
  for (const SignalMoments& input : q.inputs) total += input.square();
  CommonDeviation near(sum.shared.size()), far(1);
  for (std::size_t i = 0; i < q.inputs.size(); ++i) {
    const double share = product ? 1 : total > 0 ? q.inputs[i].square() / total : 0;
    const SignalSpread part = with_extents(*q.spreads[i], extents);
    for (std::size_t p = 0; p < part.shared.size(); ++p) near.add(share, p, part.shared[p]);
    far.add(share, 0, part.far);
    weights += share, squares += share * share;
  }
  sum.deviations = merged_deviations(q);
  for (std::size_t p = 0; p < sum.shared.size(); ++p) sum.shared[p] = near.result(p, weights, squares);
  sum.far = far.result(0, weights, squares);
  return sum;
}

// Places become numbers of one list: its mean square is the average over all of them.
SignalSpread flattened(const MapQuestion& q) {
  const SignalSpread& input = *q.spreads[0];
  SignalSpread spread = {.extents = 0, .shared = {0}, .far = input.far};
  spread.shared[0] = input.far + input.own_far / static_cast<double>(q.setting.inputs[0].channels());
  spread.own = std::max(0.0, input.own - input.own_far);
  return spread;
}

bool is_one_of(const LayerKind* kind, std::initializer_list<const LayerKind*> kinds) {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

SignalSpread next(const MapQuestion& q, const MapAnswer& answer) {
  const LayerKind* kind = q.setting.kind;
  const SignalSpread& input = *q.spreads[0];
  if (is_one_of(kind, {&kConvLayer, &kDepthwiseConvLayer, &kTransposedConvLayer, &kDenseLayer})) {
    return after_kernel(q, answer.output);
  }
  if (answer.activation != nullptr) return after_activation(input, answer, q.inputs[0].correlation);
  if (is_one_of(kind, {&kDropoutLayer, &kSpatialDropoutLayer})) return after_dropout(q);
  if (kind == &kFlattenLayer) return flattened(q);
  if (kind == &kMultiplyLayer) {
    SignalSpread spread = merged(q, true);
    double own = 1, own_far = 1;
    for (const auto& part : q.spreads) own *= 1 + part->own, own_far *= 1 + part->own_far;
    spread.own = own - 1, spread.own_far = own_far - 1;
    return spread;
  }
  SignalSpread spread = q.inputs.size() > 1 ? merged(q, false) : input;
  if (is_one_of(kind, {&kAveragePoolLayer, &kMaxPoolLayer})) {
    const Window window = read_window(q.setting, "size");
    average_windows(spread, window), average_deviations(spread, q, window);
  }
  if (is_one_of(kind, {&kGlobalAverageLayer, &kGlobalMaxLayer, &kReduceMeanLayer, &kReduceSumLayer})) {
    spread.shared.assign(spread.shared.size(), input.far);
  }
  // Normalisation gives each place, each sample or each channel one size.
  if (is_one_of(kind, {&kLayerNormLayer, &kBatchNormLayer, &kGroupNormLayer})) {
    const double all = kind == &kLayerNormLayer ? input.here() : input.far;
    for (double& value : spread.shared) value = std::max(0.0, value - all);
    spread.far = 0;
  }
  if (!is_one_of(kind, {&kReshapeLayer, &kPermuteLayer, &kCroppingLayer, &kSliceLayer}))
    set_normal(spread, answer.output);
  return spread;
}

// Whether deviations by place still belong to the places of the output.
bool keeps_places(const MapQuestion& q, const ProfilePointer& deviations) {
  const Shape& shape = q.layer().output.shape;
  if (deviations == nullptr || shape.empty()) return false;
  if (is_one_of(q.setting.kind, {&kReshapeLayer, &kPermuteLayer, &kTransposedConvLayer})) return false;
  return deviations->size() == static_cast<std::size_t>(element_count(shape) / shape[0]);
}

}  // namespace

SpreadPointer next_spread(const MapQuestion& q, const MapAnswer& answer) {
  SignalSpread spread;
  if (q.inputs.empty()) {
    set_normal(spread, answer.output);
  } else {
    spread = next(q, answer);
    if (!keeps_places(q, spread.deviations)) spread.deviations.reset();
  }
  return std::make_shared<const SignalSpread>(with_extents(spread, place_extents(q.layer().output)));
}

}  // namespace actforge
