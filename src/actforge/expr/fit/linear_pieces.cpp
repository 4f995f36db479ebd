#include "actforge/expr/fit/linear_pieces.h"

#include <algorithm>
#include <limits>

#include "actforge/base/error.h"

namespace actforge {
namespace {

// Of a single sample, at which the hat is a fifth. With less, a value far beyond all samples could make up for it.
constexpr double kLeastSay = 0.04;

}  // namespace

double LinearPieces::value(double at) const {
  const auto above = std::upper_bound(x.begin() + 1, x.end() - 1, at);
  const auto piece = static_cast<std::size_t>(above - x.begin()) - 1;
  return y[piece] + slope(piece) * (at - x[piece]);
}

PieceFitter::PieceFitter(const CurveSamples& samples) : x_(samples.x), before_(1) {
  least_weight_ = *std::min_element(samples.weight.begin(), samples.weight.end());
  for (std::size_t i = 0; i < x_.size(); ++i) {
    x_mean_ += samples.weight[i] * samples.x[i];
    y_mean_ += samples.weight[i] * samples.y[i];
  }
  for (std::size_t i = 0; i < x_.size(); ++i) {
    const double w = samples.weight[i], u = samples.x[i] - x_mean_, v = samples.y[i] - y_mean_;
    Sums sums = before_.back();
    sums.w += w, sums.u += w * u, sums.uu += w * u * u, sums.v += w * v, sums.uv += w * u * v;
    before_.push_back(sums);
    square_ += w * v * v;
  }
}

// The function is Σ y_i h_i(x), where the hat h_i is 1 at its own point and 0 at all others. Between the points a and
// b, of distance d, only two hats are not zero: (b - x)/d and (x - a)/d. So the normal equations Σ_j <h_i,h_j> y_j =
// <h_i,y> are tridiagonal, and their entries follow from sums over the samples in (a, b] of w, wx, wx², wy and wxy,
// which are differences of sums from the beginning. A level outer piece is two equal unknowns: their rows and columns
// are added up.
bool PieceFitter::solve(std::span<const double> bends, LevelEnds level) const {
  System& s = system_;
  s.node.assign(1, x_.front() - x_mean_);
  for (const double bend : bends) s.node.push_back(bend - x_mean_);
  s.node.push_back(x_.back() - x_mean_);
  const std::size_t count = s.node.size();
  s.diagonal.assign(count, 0), s.beside.assign(count, 0), s.right.assign(count, 0);
  std::size_t from = 0;
  for (std::size_t i = 0; i + 1 < count; ++i) {
    const double a = s.node[i], b = s.node[i + 1], d = b - a;
    if (!(d > 0)) return false;
    const auto end = i + 2 == count ? x_.end() : std::upper_bound(x_.begin(), x_.end(), bends[i]);
    const auto to = static_cast<std::size_t>(end - x_.begin());
    const Sums &p = before_[from], &q = before_[to];
    const double w = q.w - p.w, u = q.u - p.u, uu = q.uu - p.uu, v = q.v - p.v, uv = q.uv - p.uv;
    s.diagonal[i] += (b * b * w - 2 * b * u + uu) / (d * d);
    s.diagonal[i + 1] += (a * a * w - 2 * a * u + uu) / (d * d);
    s.beside[i] = ((a + b) * u - a * b * w - uu) / (d * d);
    s.right[i] += (b * v - uv) / d;
    s.right[i + 1] += (uv - a * v) / d;
    from = to;
  }
  if (level.left && level.right && count == 2) level.right = false;  // one piece is level as a whole
  std::size_t first = 0, last = count - 1;
  if (level.left) {
    s.diagonal[1] += s.diagonal[0] + 2 * s.beside[0];
    s.right[1] += s.right[0];
    first = 1;
  }
  if (level.right) {
    s.diagonal[last - 1] += s.diagonal[last] + 2 * s.beside[last - 1];
    s.right[last - 1] += s.right[last];
    --last;
  }
  // Elimination; a matrix of this kind is positive definite where it is not singular.
  s.value = s.right;
  for (std::size_t i = first; i <= last; ++i) {
    if (i > first) {
      const double factor = s.beside[i - 1] / s.diagonal[i - 1];
      s.diagonal[i] -= factor * s.beside[i - 1];
      s.value[i] -= factor * s.value[i - 1];
    }
    // What the samples still say of this value when the one before is known: Σ w·h² for samples of its own.
    if (!(s.diagonal[i] > kLeastSay * least_weight_)) return false;
  }
  for (std::size_t i = last + 1; i-- > first;) {
    if (i < last) s.value[i] -= s.beside[i] * s.value[i + 1];
    s.value[i] /= s.diagonal[i];
  }
  s.explained = 0;
  for (std::size_t i = first; i <= last; ++i) s.explained += s.value[i] * s.right[i];
  if (level.left) s.value[0] = s.value[1];
  if (level.right) s.value[count - 1] = s.value[count - 2];
  return true;
}

double PieceFitter::error(std::span<const double> bends, LevelEnds level) const {
  // At the best values the error is orthogonal to the fit: Σ w(v-f)² = Σ wv² - Σ wvf.
  return solve(bends, level) ? std::max(0.0, square_ - system_.explained) : std::numeric_limits<double>::infinity();
}

LinearPieces PieceFitter::fit(std::span<const double> bends, LevelEnds level) const {
  if (!solve(bends, level)) {
    throw Error(ErrorCode::kFailed, "the samples do not determine a curve with these bends");
  }
  LinearPieces pieces;
  pieces.x.push_back(x_.front());
  pieces.x.insert(pieces.x.end(), bends.begin(), bends.end());
  pieces.x.push_back(x_.back());
  for (const double value : system_.value) pieces.y.push_back(value + y_mean_);
  return pieces;
}

}  // namespace actforge
