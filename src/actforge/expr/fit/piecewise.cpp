#include "actforge/expr/fit/piecewise.h"

#include <algorithm>
#include <cmath>

#include "actforge/base/error.h"
#include "actforge/base/number_text.h"
#include "actforge/expr/fit/choose_bends.h"
#include "actforge/expr/fit/hinge_fit.h"
#include "actforge/expr/fit/smooth_hinges.h"
#include "actforge/expr/language/reference.h"

namespace actforge {
namespace {

void check(const PiecewiseOptions& options) {
  if (options.knots < 1 || options.knots > kMostKnots) {
    throw Error(ErrorCode::kUsage, "the number of knots goes from 1 to " + std::to_string(kMostKnots) + ", not " +
                                       std::to_string(options.knots));
  }
  if (!(options.tolerance >= 0) || std::isinf(options.tolerance)) {
    throw Error(ErrorCode::kUsage, "the tolerance is an error of at least 0, not " + number_text(options.tolerance));
  }
  if (!(options.sharpness >= 0) || std::isinf(options.sharpness)) {
    throw Error(ErrorCode::kUsage,
                "the sharpness is positive, or 0 to choose one, not " + number_text(options.sharpness));
  }
}

// Bends at numbers of six digits, and the values that are best there.
LinearPieces rounded_pieces(const CurveSamples& samples, const PieceFitter& fitter, const Bends& bends) {
  const double step = hinge_step(std::max(std::fabs(samples.left()), std::fabs(samples.right())));
  std::vector<double> rounded;
  rounded.reserve(bends.x.size());
  for (const double x : bends.x) rounded.push_back(rounded_to(x, step));
  rounded.erase(std::unique(rounded.begin(), rounded.end()), rounded.end());
  // Samples that are closer together than that need their digits.
  return fitter.fit(std::isfinite(fitter.error(rounded, bends.level)) ? rounded : bends.x, bends.level);
}

void measure(PiecewiseFit& fit, std::span<const double> x, std::span<const double> y) {
  const Reference function(fit.expr);
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double error = std::fabs(function.value(x[i]) - y[i]);
    sum += error * error;
    fit.max_error = std::max(fit.max_error, error);
  }
  fit.rms_error = std::sqrt(sum / static_cast<double>(x.size()));
}

std::size_t bends_of(const HingeForm& form) {
  // A smooth side ends behind its last hinge, another one at it.
  const auto ends = [&](const HingeSide& side) { return side.ends && form.sharpness == 0 ? std::size_t{1} : 0; };
  return form.right.hinges.size() + form.left.hinges.size() + ends(form.right) + ends(form.left);
}

LinearPieces straight_pieces(const CurveSamples& samples, const PieceFitter& fitter, const BendOptions& options) {
  return rounded_pieces(samples, fitter, choose_bends(samples, fitter, options));
}

// Smooth bends follow a curve more closely than as many sharp ones: so first with few.
HingeForm smooth_form(const CurveSamples& samples, const PieceFitter& fitter, const PiecewiseOptions& options) {
  SmoothFit fit;
  for (std::size_t most = std::min<std::size_t>(2, options.knots);; most = std::min(most + most / 2, options.knots)) {
    const LinearPieces pieces = straight_pieces(samples, fitter, {.most = most, .tolerance = options.tolerance});
    fit = options.sharpness > 0 ? smooth_hinges(samples, pieces, options.sharpness)
                                : smoothest_hinges(samples, pieces, options.tolerance);
    if (fit.error <= options.tolerance || most == options.knots) return fit.form;
  }
}

}  // namespace

PiecewiseFit fit_piecewise(std::span<const double> x, std::span<const double> y, const PiecewiseOptions& options) {
  check(options);
  const CurveSamples samples = curve_samples(x, y);
  const PieceFitter fitter(samples);
  const HingeForm form =
      options.smooth
          ? smooth_form(samples, fitter, options)
          : hinges_of(straight_pieces(samples, fitter, {.most = options.knots, .tolerance = options.tolerance}));
  PiecewiseFit fit = {.expr = hinge_expr(form), .knots = bends_of(form), .sharpness = form.sharpness};
  measure(fit, x, y);
  return fit;
}

}  // namespace actforge
