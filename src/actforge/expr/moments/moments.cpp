#include "actforge/expr/moments/moments.h"

#include <algorithm>
#include <array>
#include <boost/math/quadrature/gauss.hpp>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>
#include <limits>
#include <numbers>
#include <queue>

#include "actforge/base/error.h"
#include "actforge/expr/language/print.h"
#include "actforge/expr/moments/breakpoints.h"

namespace actforge {
namespace {

// f, (f - c)², f', (f' - c')², each times the density; all four share their evaluations.
constexpr std::size_t kParts = 4;
using Parts = std::array<double, kParts>;
constexpr std::array<const char*, kParts> kPartNames = {"the mean", "the variance", "the mean of the derivative",
                                                        "the variance of the derivative"};

// What the sum of one rule loses to rounding, as in QUADPACK.
constexpr double kRounding = 50 * std::numeric_limits<double>::epsilon();

// Beyond 38.6 standard deviations the density is no longer a double.
constexpr double kFarthest = 38;

struct Piece {
  double left, right;
  Parts integral, error, magnitude;
  double worst = 0;  // the largest error among the parts, relative to its magnitude
  bool operator<(const Piece& other) const { return worst < other.worst; }
};

class Quadrature {
 public:
  Quadrature(const Reference& function, const MomentOptions& options)
      : function_(function),
        mean_(options.mean),
        deviation_(std::sqrt(options.variance)),
        tolerance_(options.tolerance) {}

  double x_at(double z) const { return mean_ + deviation_ * z; }
  std::size_t evaluations() const { return evaluations_; }

  // Of the others the result is meaningless, and their error does not count.
  void set_wanted(const std::array<bool, kParts>& wanted) { wanted_ = wanted; }

  // The centres make variances out of second moments without subtracting two large numbers.
  void set_centres(double value, double slope) { value_centre_ = value, slope_centre_ = slope; }

  // Splits the piece with the largest error until the sum of all errors is small.
  Piece integrate(const std::vector<double>& cuts) {
    std::vector<Piece> done;
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i) done.push_back(rule(cuts[i], cuts[i + 1]));
    Piece total = sum(done);
    const Parts scale = total.magnitude;  // the four parts may differ by orders of magnitude
    std::priority_queue<Piece> pieces;
    const auto push = [&](Piece piece) {
      piece.worst = 0;
      for (std::size_t i = 0; i < kParts; ++i) {
        if (wanted_[i] && scale[i] > 0) piece.worst = std::max(piece.worst, piece.error[i] / scale[i]);
      }
      pieces.push(piece);
    };
    for (const Piece& piece : done) push(piece);
    done.clear();
    constexpr int kMostSplits = 4000;
    for (int split = 0; split < kMostSplits && !settled(total) && !pieces.empty(); ++split) {
      const Piece piece = pieces.top();
      pieces.pop();
      const double middle = piece.left + (piece.right - piece.left) / 2;
      bool rounding = true;  // nothing left but that: halving would not help
      for (std::size_t i = 0; i < kParts; ++i)
        rounding = rounding && (!wanted_[i] || piece.error[i] <= kRounding * piece.magnitude[i]);
      if (rounding || middle <= piece.left || middle >= piece.right) {
        done.push_back(piece);
        continue;
      }
      const Piece halves[] = {rule(piece.left, middle), rule(middle, piece.right)};
      for (std::size_t i = 0; i < kParts; ++i) {
        total.error[i] += halves[0].error[i] + halves[1].error[i] - piece.error[i];
        total.magnitude[i] += halves[0].magnitude[i] + halves[1].magnitude[i] - piece.magnitude[i];
      }
      push(halves[0]);
      push(halves[1]);
    }
    for (; !pieces.empty(); pieces.pop()) done.push_back(pieces.top());
    return sum(done);
  }

 private:
  bool settled(const Piece& total) const {
    for (std::size_t i = 0; i < kParts; ++i) {
      if (wanted_[i] && !(total.error[i] <= tolerance_ * total.magnitude[i])) return false;
    }
    return true;
  }

  static Piece sum(const std::vector<Piece>& list) {
    Piece total{};
    for (const Piece& piece : list) {
      for (std::size_t i = 0; i < kParts; ++i) {
        total.integral[i] += piece.integral[i], total.error[i] += piece.error[i],
            total.magnitude[i] += piece.magnitude[i];
      }
    }
    return total;
  }

  Parts integrand(double z) {
    ++evaluations_;
    const auto [value, slope] = function_.at(x_at(z));
    const double density = std::exp(-0.5 * z * z) / std::sqrt(2 * std::numbers::pi);
    const double v = value - value_centre_, s = slope - slope_centre_;
    return {value * density, v * (v * density), slope * density, s * (s * density)};
  }

  // 21 Kronrod points with the 10 Gauss points among them; their difference estimates the error, scaled as in
  // QUADPACK's qk21, since Kronrod's rule is much better than Gauss's.
  Piece rule(double left, double right) {
    using Kronrod = boost::math::quadrature::gauss_kronrod<double, 21>;
    using Gauss = boost::math::quadrature::gauss<double, 10>;
    const double centre = (left + right) / 2, half = (right - left) / 2;
    std::array<Parts, 21> samples{};
    samples[0] = integrand(centre);
    for (std::size_t k = 1; k <= 10; ++k) {
      samples[2 * k - 1] = integrand(centre - half * Kronrod::abscissa()[k]);
      samples[2 * k] = integrand(centre + half * Kronrod::abscissa()[k]);
    }
    Piece piece{.left = left, .right = right, .integral = {}, .error = {}, .magnitude = {}};
    for (std::size_t i = 0; i < kParts; ++i) {
      double kronrod = Kronrod::weights()[0] * samples[0][i], gauss = 0,
             magnitude = Kronrod::weights()[0] * std::fabs(samples[0][i]);
      for (std::size_t k = 1; k <= 10; ++k) {
        const double pair = samples[2 * k - 1][i] + samples[2 * k][i];
        kronrod += Kronrod::weights()[k] * pair;
        magnitude += Kronrod::weights()[k] * (std::fabs(samples[2 * k - 1][i]) + std::fabs(samples[2 * k][i]));
        if (k % 2 == 1) gauss += Gauss::weights()[k / 2] * pair;
      }
      double spread = Kronrod::weights()[0] * std::fabs(samples[0][i] - kronrod / 2);
      for (std::size_t k = 1; k <= 10; ++k) {
        spread += Kronrod::weights()[k] *
                  (std::fabs(samples[2 * k - 1][i] - kronrod / 2) + std::fabs(samples[2 * k][i] - kronrod / 2));
      }
      double error = std::fabs(kronrod - gauss);
      if (error != 0 && spread != 0) error = spread * std::min(1.0, std::pow(200 * error / spread, 1.5));
      piece.integral[i] = half * kronrod;
      piece.magnitude[i] = half * magnitude;
      piece.error[i] = std::max(half * error, kRounding * piece.magnitude[i]);
    }
    return piece;
  }

  const Reference& function_;
  double mean_, deviation_, tolerance_;
  double value_centre_ = 0, slope_centre_ = 0;
  std::array<bool, kParts> wanted_ = {true, true, true, true};
  std::size_t evaluations_ = 0;
};

// Whether and where the four integrals exist at all.
class Existence {
 public:
  Existence(const Reference& function, const MomentOptions& options)
      : function_(function), mean_(options.mean), deviation_(std::sqrt(options.variance)) {}

  std::array<bool, kParts> exists = {true, true, true, true};
  std::vector<std::string> problems;
  double left = -1, right = 1;  // the range that matters, in standard deviations

  void check_defined(const std::vector<double>& grid) {
    for (const double x : grid) {
      const double z = (x - mean_) / deviation_;
      if (std::fabs(z) > 8) continue;
      if (std::isnan(function_.value(x))) {
        fail(0, kParts, "the function is undefined (NaN) on part of the line, for example at x = " + number_text(x));
        return;
      }
    }
  }

  // After check_tails(): beyond its limits an infinity is growth, within them it is not.
  void check_finite(const std::vector<double>& grid) {
    for (const double x : grid) {
      const double z = (x - mean_) / deviation_;
      if (std::fabs(z) > 8 || z < left || z > right || std::isfinite(function_.value(x))) continue;
      fail(0, kParts, "the function is infinite on part of the line, for example at x = " + number_text(x));
      return;
    }
  }

  // Far out, |f| and f² must lose against the density. In logarithms, so that nothing overflows.
  void check_tails() {
    check_tail(-1, left);
    check_tail(+1, right);
  }

  // Beside a pole at c, |f| ~ d^-p at distance d: integrable for p < 1, its square for p < 1/2.
  void check_pole(double c) {
    for (const double side : {-1.0, 1.0}) {
      const double scale = std::max(deviation_, std::fabs(c)) * side;
      const auto near = function_.at(c + scale * 0x1p-28), nearer = function_.at(c + scale * 0x1p-31);
      const double value_power = std::log2(std::fabs(nearer.value) / std::fabs(near.value)) / 3;
      const double slope_power = std::log2(std::fabs(nearer.slope) / std::fabs(near.slope)) / 3;
      const std::string where = " near x = " + number_text(c);
      if (value_power > 0.99) fail(0, 2, "|f| grows like 1/|x - c|^" + rounded(value_power) + where);
      if (value_power > 0.49) fail(1, 2, "f² grows like 1/|x - c|^" + rounded(2 * value_power) + where);
      if (slope_power > 0.99) fail(2, 4, "|f'| grows like 1/|x - c|^" + rounded(slope_power) + where);
      if (slope_power > 0.49) fail(3, 4, "f'² grows like 1/|x - c|^" + rounded(2 * slope_power) + where);
    }
  }

 private:
  static std::string rounded(double v) { return number_text(std::round(100 * v) / 100); }

  void fail(std::size_t from, std::size_t to, const std::string& why) {
    for (std::size_t i = from; i < to; ++i) {
      if (!exists[i]) continue;
      exists[i] = false;
      problems.push_back(std::string(kPartNames[i]) + " is not integrable: " + why);
    }
  }

  // The logarithms of the four integrands at one point.
  std::array<double, kParts> logarithms(const ValueAndSlope& at, double z) const {
    const double value = std::log(std::fabs(at.value)), slope = std::log(std::fabs(at.slope)), density = -0.5 * z * z;
    return {value + density, 2 * value + density, slope + density, 2 * slope + density};
  }

  void check_tail(double side, double& limit) {
    constexpr double kLargest = 1e154;  // whose square is still a double
    constexpr double kLost = 20;        // e^-20 of its peak: what lies beyond no longer counts
    std::array<double, kParts> last{}, nothing;
    nothing.fill(std::numeric_limits<double>::lowest());
    std::array<double, kParts> peak = nothing;
    for (double z = 0.001234; z <= kFarthest; z += 0.25) {  // off the round numbers, where poles are
      const ValueAndSlope at = function_.at(mean_ + side * deviation_ * z);
      if (!(std::fabs(at.value) <= kLargest && std::fabs(at.slope) <= kLargest)) break;
      last = logarithms(at, z);
      for (std::size_t i = 0; i < kParts; ++i) peak[i] = std::max(peak[i], last[i]);
      limit = side * z;
    }
    if (peak == nothing) return;  // not finite even here: check_finite() says so
    constexpr std::array<const char*, kParts> kWhat = {"|f|", "f²", "|f'|", "f'²"};
    for (std::size_t i = 0; i < kParts; ++i) {
      if (last[i] <= peak[i] - kLost || last[i] == -std::numeric_limits<double>::infinity()) continue;
      fail(i, i < 2 ? 2 : 4,
           std::string(kWhat[i]) + " outgrows the normal density" + (side < 0 ? " towards -inf" : " towards +inf") +
               " (or exceeds the range of a double)");
    }
  }

  const Reference& function_;
  double mean_, deviation_;
};

// Dense where the mass is. The offset keeps the grid off round numbers, at which a function may be undefined.
std::vector<double> make_grid(const MomentOptions& options) {
  const double deviation = std::sqrt(options.variance);
  std::vector<double> grid;
  for (double z = -kFarthest; z <= kFarthest; z += std::fabs(z) < 6 ? 0.0078125 : std::fabs(z) < 12 ? 0.03125 : 0.25) {
    grid.push_back(options.mean + deviation * (z + 0.0012345678901234567));
  }
  return grid;
}

Moments at_a_point(const Reference& function, double x) {
  const auto [value, slope] = function.at(x);
  Moments moments;
  moments.mean = value, moments.second_moment = value * value;
  moments.derivative_mean = slope, moments.derivative_second_moment = slope * slope;
  moments.evaluations = 1;
  if (!std::isfinite(value) || !std::isfinite(slope))
    moments.problems.push_back("the function has no finite value and slope at x = " + number_text(x));
  return moments;
}

}  // namespace

Moments gaussian_moments(const Reference& function, const MomentOptions& options) {
  if (!(options.variance >= 0) || !std::isfinite(options.variance) || !std::isfinite(options.mean)) {
    throw Error(ErrorCode::kBadInput, "the mean must be finite, the variance finite and not negative");
  }
  if (options.variance == 0) return at_a_point(function, options.mean);
  const std::vector<double> grid = make_grid(options);
  const std::vector<double> breaks = find_breakpoints(function, grid);
  Existence existence(function, options);
  existence.check_defined(grid);
  existence.check_tails();
  existence.check_finite(grid);
  for (const double c : breaks) existence.check_pole(c);

  Quadrature quadrature(function, options);
  std::vector<double> cuts = {existence.left, existence.right};
  for (const double z : {-20.0, -12.0, -8.0, -5.0, -3.0, -1.5, 0.0, 1.5, 3.0, 5.0, 8.0, 12.0, 20.0}) cuts.push_back(z);
  for (const double x : breaks) cuts.push_back((x - options.mean) / std::sqrt(options.variance));
  std::erase_if(cuts, [&](double z) { return z < existence.left || z > existence.right; });
  std::ranges::sort(cuts);
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());

  if (!options.derivative) existence.exists[2] = existence.exists[3] = false;
  quadrature.set_wanted(existence.exists);
  // Any value near the mean will do at first.
  const auto rough = function.at(options.mean + 0.1 * std::sqrt(options.variance));
  quadrature.set_centres(std::isfinite(rough.value) ? rough.value : 0, std::isfinite(rough.slope) ? rough.slope : 0);
  const Piece first = quadrature.integrate(cuts);
  // Once more about the means found: Var f is then an integral of squares, with nothing to subtract.
  quadrature.set_centres(existence.exists[0] ? first.integral[0] : 0, existence.exists[2] ? first.integral[2] : 0);
  const Piece second = quadrature.integrate(cuts);

  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  Moments moments;
  const auto& exists = existence.exists;
  moments.mean = exists[0] ? second.integral[0] : kNone;
  moments.variance = exists[0] && exists[1] ? second.integral[1] : kNone;
  moments.second_moment = moments.variance + moments.mean * moments.mean;
  moments.derivative_mean = exists[2] ? second.integral[2] : kNone;
  moments.derivative_variance = exists[2] && exists[3] ? second.integral[3] : kNone;
  moments.derivative_second_moment = moments.derivative_variance + moments.derivative_mean * moments.derivative_mean;
  moments.problems = existence.problems;
  for (std::size_t i = 0; i < kParts; ++i) {
    if (exists[i]) moments.error = std::max(moments.error, second.error[i]);
    // Undefined on a stretch too short for the grid, but not for the quadrature.
    if (exists[i] && !std::isfinite(second.integral[i])) {
      moments.problems.push_back(std::string(kPartNames[i]) +
                                 " is not integrable: the function is undefined or infinite somewhere");
    }
  }
  // The second moments add the square of the mean.
  const auto square_error = [](double mean, double error) { return 2 * std::fabs(mean) * error + 1e-16 * mean * mean; };
  if (exists[0]) moments.error = std::max(moments.error, second.error[1] + square_error(moments.mean, second.error[0]));
  if (exists[2])
    moments.error = std::max(moments.error, second.error[3] + square_error(moments.derivative_mean, second.error[2]));
  moments.evaluations = quadrature.evaluations();
  return moments;
}

}  // namespace actforge
