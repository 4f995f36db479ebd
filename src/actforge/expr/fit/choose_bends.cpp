#include "actforge/expr/fit/choose_bends.h"

#include <algorithm>
#include <cmath>

namespace actforge {
namespace {

constexpr std::size_t kCandidates = 250;  // for a new bend
constexpr int kSteps = 12;                // at which a bend is tried between its neighbours, before closing in
// How often all bends are moved, and how often what is left of their range is cut by the golden ratio: while there are
// more to come, and in the end.
struct Effort {
  int sweeps, narrowings;
};
constexpr Effort kRough = {2, 8}, kFine = {8, 32};
constexpr double kNothing = 1e-13;  // an error that is none, beside the variance of the samples
constexpr double kGain = 1e-3;      // a sweep that gains less, in proportion, is the last
// What the root mean squared error may become for a simpler function.
constexpr double kLevelCost = 1.15, kRemovalCost = 1.0005;
// Shares of the range that outer pieces take at least: they go on beyond the samples, so a few samples must not decide.
constexpr double kOuterShare = 0.025, kLevelShare = 0.05;
// And the share that any piece takes: a jump between two samples could be made as steep as one likes.
constexpr double kInnerShare = 0.002;

class BendChooser {
 public:
  BendChooser(const CurveSamples& samples, const PieceFitter& fitter, const BendOptions& options)
      : fitter_(fitter), options_(options), range_(samples.right() - samples.left()) {
    first_ = samples.left() + kOuterShare * range_;
    last_ = samples.right() - kOuterShare * range_;
    const std::size_t count = samples.x.size() - 1;
    const std::size_t step = std::max<std::size_t>(1, count / kCandidates);
    const auto add = [&](double x) {
      if (first_ <= x && x <= last_) candidates_.push_back(x);
    };
    // At samples, where few of them leave open what is between.
    for (std::size_t i = 0; i <= count; i += step) add(samples.x[i]);
    for (std::size_t i = 0; i < count; i += step) add((samples.x[i] + samples.x[i + 1]) / 2);
    spread_ = fitter.error({}, {.left = true, .right = true});
  }

  Bends choose() {
    error_ = fitter_.error(bends_, level_);
    while (bends_.size() < options_.most && root() > options_.tolerance && add_one()) move_all(kRough);
    move_all(kFine);
    level_ends();
    remove_needless();
    return {.x = bends_, .level = level_};
  }

 private:
  double root() const { return std::sqrt(error_); }
  double error_of(const std::vector<double>& bends) const { return fitter_.error(bends, level_); }

  bool add_one() {
    std::vector<double> best;
    double least = error_;
    for (const double candidate : candidates_) {
      std::vector<double> wider = bends_;
      const auto place = wider.insert(std::lower_bound(wider.begin(), wider.end(), candidate), candidate);
      const double gap = kInnerShare * range_;
      if ((place != wider.begin() && *place - *(place - 1) < gap) ||
          (place + 1 != wider.end() && *(place + 1) - *place < gap)) {
        continue;
      }
      const double error = error_of(wider);
      if (error >= least - kNothing * spread_) continue;
      least = error;
      best = std::move(wider);
    }
    if (best.empty()) return false;
    bends_ = std::move(best);
    error_ = least;
    return true;
  }

  // One bend to the best place between its neighbours: some places, then a golden section around the best of them.
  // What is lost by an error that has several minima in between, other bends win back.
  void move_one(std::size_t i, int narrowings) {
    if (error_ <= kNothing * spread_) return;
    std::vector<double> moved = bends_;
    const auto error_at = [&](double x) {
      moved[i] = x;
      return error_of(moved);
    };
    const double low = i == 0 ? first_ : bends_[i - 1] + kInnerShare * range_;
    const double high = i + 1 == bends_.size() ? last_ : bends_[i + 1] - kInnerShare * range_;
    if (!(low < high)) return;
    const double step = (high - low) / kSteps;
    double best = bends_[i], least = error_;
    for (int k = 1; k < kSteps; ++k) {
      if (const double error = error_at(low + k * step); error < least) best = low + k * step, least = error;
    }
    constexpr double kRatio = 0.6180339887498949;
    double left = std::max(low, best - step), right = std::min(high, best + step);
    double a = right - kRatio * (right - left), b = left + kRatio * (right - left);
    double at_a = error_at(a), at_b = error_at(b);
    for (int k = 0; k < narrowings; ++k) {
      if (at_a < at_b) {
        right = b, b = a, at_b = at_a;
        a = right - kRatio * (right - left), at_a = error_at(a);
      } else {
        left = a, a = b, at_a = at_b;
        b = left + kRatio * (right - left), at_b = error_at(b);
      }
    }
    if (std::min(at_a, at_b) < least) least = std::min(at_a, at_b), best = at_a < at_b ? a : b;
    bends_[i] = best;
    error_ = least;
  }

  void move_all(const Effort& effort) {
    for (int sweep = 0; sweep < effort.sweeps; ++sweep) {
      const double before = error_;
      for (std::size_t i = 0; i < bends_.size(); ++i) move_one(i, effort.narrowings);
      if (error_ >= before * (1 - kGain)) break;
    }
  }

  // Keeps a change of the bends or ends if the error stays below `factor` times what it was, or below the tolerance.
  template <class Change>
  void keep_if_cheap(double factor, Change change) {
    const Bends before = {bends_, level_};
    const double error_before = error_, allowed = std::max(options_.tolerance, factor * root());
    change();
    error_ = error_of(bends_);
    if (std::isfinite(error_)) move_all(kFine);
    if (root() <= allowed && level_is_wide()) return;
    bends_ = before.x;
    level_ = before.level;
    error_ = error_before;
  }

  bool level_is_wide() const {
    const double least = kLevelShare * range_ - kOuterShare * range_;  // from first_, or to last_
    return bends_.empty() ||
           ((!level_.left || bends_.front() - first_ >= least) && (!level_.right || last_ - bends_.back() >= least));
  }

  void level_ends() {
    keep_if_cheap(kLevelCost, [&] { level_.left = true; });
    keep_if_cheap(kLevelCost, [&] { level_.right = true; });
  }

  void remove_needless() {
    for (std::size_t i = bends_.size(); i-- > 0;) {
      // A function of two level ends and no bend is a constant, which is for level_ends() to say.
      if (bends_.size() == 1 && level_ != LevelEnds{}) return;
      keep_if_cheap(kRemovalCost, [&] { bends_.erase(bends_.begin() + static_cast<std::ptrdiff_t>(i)); });
    }
  }

  const PieceFitter& fitter_;
  BendOptions options_;
  double range_, spread_ = 0;    // of the samples: from first to last x, variance of y
  double first_ = 0, last_ = 0;  // of the places of bends
  std::vector<double> candidates_, bends_;
  LevelEnds level_;
  double error_ = 0;
};

}  // namespace

Bends choose_bends(const CurveSamples& samples, const PieceFitter& fitter, const BendOptions& options) {
  return BendChooser(samples, fitter, options).choose();
}

}  // namespace actforge
