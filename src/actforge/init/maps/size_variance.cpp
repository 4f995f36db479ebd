#include "actforge/init/maps/size_variance.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "actforge/init/moments/along_axis.h"
#include "actforge/net/graph/window.h"

namespace actforge {
namespace {

constexpr std::int64_t kReach = SizeVariance::kReach, kSide = 2 * kReach + 1;
// Beyond this the expansion in small deviations says nothing; larger ones are kept at it.
constexpr double kMost = 4;

Shape grid_of(std::size_t extents) { return Shape(extents, kSide); }

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
ProfilePointer merged_deviations(const MomentQuery& q) {
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
SizeVariance merged(const MomentQuery& q, bool product) {
  const std::size_t extents = place_extents(q.layer().output);
  SizeVariance sum = with_extents(SizeVariance(), extents);
  double total = 0, weights = 0, squares = 0;
  for (const SignalMoments& input : q.inputs) total += input.square();
  CommonDeviation near(sum.shared.size()), far(1);
  for (std::size_t i = 0; i < q.inputs.size(); ++i) {
    const double share = product ? 1 : total > 0 ? q.inputs[i].square() / total : 0;
    const SizeVariance part = with_extents(*q.spreads[i], extents);
    for (std::size_t p = 0; p < part.shared.size(); ++p) near.add(share, p, part.shared[p]);
    far.add(share, 0, part.far);
    weights += share, squares += share * share;
  }
  sum.deviations = merged_deviations(q);
  for (std::size_t p = 0; p < sum.shared.size(); ++p) sum.shared[p] = near.result(p, weights, squares);
  sum.far = far.result(0, weights, squares);
  return sum;
}

}  // namespace

std::size_t place_extents(const Signal& signal) {
  return std::min<std::size_t>(3, signal.shape.empty() ? 0 : signal.shape.size() - 1);
}

//   cov(x², y²) = 4 m² cov(x, y) + 2 cov(x, y)²
double normal_own(const SignalMoments& x, double covariance) {
  const double square = x.square();
  if (!(square > 0)) return 0;
  return (4 * x.mean * x.mean * covariance + 2 * covariance * covariance) / (square * square);
}

void set_normal(SizeVariance& spread, const SignalMoments& output) {
  spread.own = normal_own(output, output.variance);
  spread.own_far = normal_own(output, output.covariance());
}

SizeVariance with_extents(const SizeVariance& old, std::size_t extents) {
  if (old.extents == extents) return old;
  SizeVariance spread = old;
  spread.extents = extents;
  spread.shared.assign(static_cast<std::size_t>(element_count(grid_of(extents))), old.far);
  spread.shared[spread.shared.size() / 2] = old.here();
  return spread;
}

// 1/k² Σ D(s d + j - i) over pairs of points of a window, along every extent in turn.
void average_windows(SizeVariance& spread, const Window& window) {
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

void scale_to(SizeVariance& spread, double here) {
  if (!(spread.here() > 0)) return;
  const double power = std::log1p(here) / std::log1p(spread.here());
  const auto scaled = [&](double value) { return std::clamp(std::pow(1 + value, power) - 1, 0.0, kMost); };
  for (double& value : spread.shared) value = scaled(value);
  spread.far = scaled(spread.far);
}

// The numbers are multiples of e:
//   E a²(p) a²(q) = (1 + C(d)) (1 + cov(η, η'))
void add_own(SizeVariance& spread, double channels) {
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

// Larger places count as much as they are large.
void average_deviations(SizeVariance& spread, const MomentQuery& q, const Window& window) {
  if (spread.deviations == nullptr) return;
  const Shape extents = spatial_extents(q.setting);
  spread.deviations = relative_deviations(window_averages(*spread.deviations, q.profiles[0], extents, window), 1);
}

SizeVariance usual_spread(const MomentQuery& q, const MomentResult& answer) {
  SizeVariance spread = q.inputs.size() > 1 ? merged(q, false) : *q.spreads[0];
  set_normal(spread, answer.output);
  return spread;
}

SizeVariance multiplied_spread(const MomentQuery& q, const MomentResult& /*answer*/) {
  SizeVariance spread = merged(q, true);
  double own = 1, own_far = 1;
  for (const auto& part : q.spreads) own *= 1 + part->own, own_far *= 1 + part->own_far;
  spread.own = own - 1, spread.own_far = own_far - 1;
  return spread;
}

SizeVariance same_spread(const MomentQuery& q, const MomentResult& /*answer*/) { return *q.spreads[0]; }

}  // namespace actforge
