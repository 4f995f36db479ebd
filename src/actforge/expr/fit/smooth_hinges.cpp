#include "actforge/expr/fit/smooth_hinges.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <optional>

#include "actforge/expr/fit/hinge_fit.h"
#include "actforge/expr/ops/scalar_math.h"

namespace actforge {
namespace {

constexpr std::size_t kMostRows = 2000;  // of the equations; more samples are put together
constexpr double kRidge = 1e-5, kLevelWeight = 10;
constexpr double kMostBending = 4, kSlack = 1.1;
constexpr int kDoublings = 9;

// The unknowns are value, slope, and one per bend: what its hinge changes the slope by.
class SmoothSystem {
 public:
  SmoothSystem(const CurveSamples& samples, const LinearPieces& pieces, double sharpness)
      : pieces_(pieces), k_(sharpness), bends_(pieces.x.size() - 2), below_(bends_left_of_zero(pieces)) {
    const auto rows = static_cast<Eigen::Index>(samples.x.size());
    const auto columns = static_cast<Eigen::Index>(bends_ + 2);
    // Below the samples' rows: a little weight on every change of slope, so that there is always one solution, and much
    // on levelness where it is wanted.
    matrix_ = Eigen::MatrixXd::Zero(rows + columns + 2, columns);
    right_ = Eigen::VectorXd::Zero(matrix_.rows());
    for (Eigen::Index i = 0; i < rows; ++i) {
      const auto sample = static_cast<std::size_t>(i);
      const double root = std::sqrt(samples.weight[sample]);
      for (Eigen::Index j = 0; j < columns; ++j) {
        matrix_(i, j) = root * column(static_cast<std::size_t>(j), samples.x[sample]);
      }
      right_(i) = root * samples.y[sample];
    }
    for (Eigen::Index j = 2; j < columns; ++j) matrix_(rows + j, j) = kRidge;
    if (level(false)) level_row(rows + columns, false);
    if (level(true)) level_row(rows + columns + 1, true);
    rows_ = rows;
  }

  SmoothFit solve() const {
    const Eigen::VectorXd unknowns = matrix_.householderQr().solve(right_);
    SmoothFit fit;
    fit.error = (matrix_.topRows(rows_) * unknowns - right_.head(rows_)).norm();
    fit.bending = unknowns.tail(static_cast<Eigen::Index>(bends_)).lpNorm<1>();
    fit.form = rounded(unknowns);
    return fit;
  }

 private:
  double range() const { return pieces_.x.back() - pieces_.x.front(); }
  double bend(std::size_t i) const { return pieces_.x[i + 1]; }
  bool is_right(std::size_t i) const { return i >= below_; }
  bool level(bool right) const {
    const std::size_t last = pieces_.y.size() - 1;
    return right ? pieces_.y[last] == pieces_.y[last - 1] : pieces_.y[0] == pieces_.y[1];
  }

  double column(std::size_t j, double x) const {
    if (j < 2) return j == 0 ? 1 : x;
    const std::size_t i = j - 2;
    return softplus(k_ * (is_right(i) ? x - bend(i) : bend(i) - x)) / k_;
  }

  // Away from 0 the slope ends as ±slope + Σ of the changes on that side.
  void level_row(Eigen::Index row, bool right) {
    matrix_(row, 1) = kLevelWeight * (right ? 1 : -1);
    for (std::size_t i = 0; i < bends_; ++i) {
      if (is_right(i) == right) matrix_(row, static_cast<Eigen::Index>(i + 2)) = kLevelWeight;
    }
  }

  HingeForm rounded(const Eigen::VectorXd& unknowns) const {
    HingeForm form;
    form.sharpness = k_;
    double value = 0;
    for (const double y : pieces_.y) value = std::max(value, std::fabs(y));
    // A slope that is nothing beside the values over the range is one of roundings.
    const double slope = std::max(unknowns.tail(unknowns.size() - 1).lpNorm<Eigen::Infinity>(), value / range());
    const double step = hinge_step(slope), factor_step = hinge_step(slope / k_);
    form.value = rounded_to(unknowns(0), hinge_step(value));
    form.slope = rounded_to(unknowns(1), step);
    for (std::size_t i = 0; i < bends_; ++i) {
      const Hinge hinge = {.at = bend(i),
                           .factor = rounded_to(unknowns(static_cast<Eigen::Index>(i + 2)) / k_, factor_step)};
      if (hinge.factor != 0) (is_right(i) ? form.right : form.left).hinges.push_back(hinge);
    }
    std::ranges::reverse(form.left.hinges);
    stop(form.right, form.slope, step, true);
    stop(form.left, -form.slope, step, false);
    return form;
  }

  void stop(HingeSide& side, double slope, double step, bool right) const {
    if (side.hinges.empty()) return;
    double tail = slope;
    for (const Hinge& hinge : side.hinges) tail += k_ * hinge.factor;
    // The bends' rounding is fine enough for this too.
    const double end = side.hinges.back().at + (right ? 20 : -20) / k_;
    end_side(side, slope, rounded_to(end, hinge_step(range())), level(right) ? 0 : rounded_to(tail, step));
  }

  const LinearPieces& pieces_;
  double k_;
  std::size_t bends_, below_;
  Eigen::Index rows_ = 0;
  Eigen::MatrixXd matrix_;
  Eigen::VectorXd right_;
};

double bending_of(const LinearPieces& pieces) {
  double sum = 0;
  for (std::size_t i = 1; i < pieces.pieces(); ++i) sum += std::fabs(pieces.slope(i) - pieces.slope(i - 1));
  return sum;
}

}  // namespace

SmoothFit smooth_hinges(const CurveSamples& samples, const LinearPieces& pieces, double sharpness) {
  return SmoothSystem(thinned(samples, kMostRows), pieces, sharpness).solve();
}

SmoothFit smoothest_hinges(const CurveSamples& samples, const LinearPieces& pieces, double tolerance) {
  const std::size_t bends = pieces.x.size() - 2;
  const double range = pieces.x.back() - pieces.x.front();
  const double distance = bends > 1 ? (pieces.x[bends] - pieces.x[1]) / static_cast<double>(bends - 1) : range / 4;
  const double most = kMostBending * bending_of(pieces);
  std::vector<SmoothFit> fits;
  double least = INFINITY, sharpness = 2 / distance;
  for (int i = 0; i < kDoublings; ++i, sharpness *= 2) {
    const double k = rounded_to(sharpness, 1000 * hinge_step(sharpness));  // three digits are enough
    fits.push_back(smooth_hinges(samples, pieces, k));
    if (fits.back().bending > most) fits.back().error = INFINITY;
    least = std::min(least, fits.back().error);
    if (least <= tolerance) break;
  }
  const double allowed = std::max(tolerance, kSlack * least);
  // Where all bend too much, the sharpest does so least.
  const auto found = std::ranges::find_if(fits, [&](const SmoothFit& fit) { return fit.error <= allowed; });
  return found == fits.end() || std::isinf(found->error) ? fits.back() : *found;
}

}  // namespace actforge
