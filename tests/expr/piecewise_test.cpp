#include "actforge/expr/fit/piecewise.h"

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "actforge/base/error.h"
#include "actforge/base/random.h"
#include "actforge/expr/export/export.h"
#include "actforge/expr/fit/choose_bends.h"
#include "actforge/expr/fit/hinge_fit.h"
#include "actforge/expr/kernels/kernel.h"
#include "actforge/expr/language/graph.h"
#include "actforge/expr/language/parse.h"
#include "actforge/expr/language/print.h"
#include "actforge/expr/language/reference.h"
#include "actforge/expr/moments/moments.h"
#include "actforge/expr/moments/properties.h"

namespace actforge {
namespace {

struct Samples {
  std::vector<double> x, y;
};

Samples evenly(const std::function<double(double)>& f, int count = 1001, double from = -5, double to = 5) {
  Samples samples;
  for (int i = 0; i < count; ++i) {
    samples.x.push_back(from + (to - from) * i / (count - 1));
    samples.y.push_back(f(samples.x.back()));
  }
  return samples;
}

Samples evenly(const char* text, int count = 1001) {
  const Reference function(parse(text));
  return evenly([&](double x) { return function.value(x); }, count);
}

PiecewiseFit fit(const Samples& samples, const PiecewiseOptions& options = {}) {
  return fit_piecewise(samples.x, samples.y, options);
}

std::string call_of(const Samples& samples, const PiecewiseOptions& options = {}) {
  return to_call(fit(samples, options).expr);
}

// Functions of every kind that reverse engineering meets.
const char* const kCurves[] = {"tanh(x)", "swish(x)", "elu(x)",     "sin(x)",  "gauss(x)",     "cosh(x)",
                               "exp(x)",  "selu(x)",  "sigmoid(x)", "cube(x)", "sin(3*x)+x/2", "log_sigmoid(x)"};

// ---- what comes out

TEST(Piecewise, FunctionsOfStraightPiecesComeBackAsTheyWere) {
  for (const int count : {80, 1001}) {
    EXPECT_EQ(call_of(evenly("relu(x)", count)), "relu(x)");
    EXPECT_EQ(call_of(evenly("min0(x)", count)), "min(x,0)");
    EXPECT_EQ(call_of(evenly("max(min(x,1),-1)", count)), "max(min(x,1),-1)");
    EXPECT_EQ(call_of(evenly("leaky_relu(x)", count)), "add(mul(0.01,x),mul(0.99,relu(x)))");
    EXPECT_EQ(call_of(evenly("2*x+1", count)), "add(1,mul(2,x))");
    EXPECT_EQ(call_of(evenly("0.25", count)), "0.25");
    EXPECT_EQ(call_of(evenly("0*x", count)), "0");
    EXPECT_EQ(call_of(evenly("relu(x-2.5)", count)), "relu(sub(x,2.5))");
    EXPECT_EQ(call_of(evenly("relu(-1.25-x)", count)), "relu(sub(-1.25,x))");
  }
}

TEST(Piecewise, ErrorsAreThoseOfTheExpressionAsWritten) {
  for (const char* text : kCurves) {
    const Samples samples = evenly(text);
    for (const bool smooth : {false, true}) {
      const PiecewiseFit made = fit(samples, {.smooth = smooth});
      const Reference function(parse(to_call(made.expr)));
      double sum = 0, largest = 0;
      for (std::size_t i = 0; i < samples.x.size(); ++i) {
        const double error = std::fabs(function.value(samples.x[i]) - samples.y[i]);
        sum += error * error;
        largest = std::max(largest, error);
      }
      EXPECT_NEAR(made.rms_error, std::sqrt(sum / 1001), 1e-12) << text;
      EXPECT_NEAR(made.max_error, largest, 1e-12) << text;
      EXPECT_LE(made.knots, 16U);
    }
  }
}

TEST(Piecewise, AddsKnotsUntilItIsGoodEnough) {
  const Samples samples = evenly("tanh(x)");
  double before = INFINITY;
  std::size_t knots_before = 0;
  for (const double tolerance : {0.1, 0.03, 0.01, 0.003}) {
    const PiecewiseFit made = fit(samples, {.knots = 64, .tolerance = tolerance});
    EXPECT_LE(made.rms_error, tolerance * 1.001);  // rounded numbers are a little off
    EXPECT_LT(made.rms_error, before);
    EXPECT_GT(made.knots, knots_before);
    before = made.rms_error;
    knots_before = made.knots;
  }
  EXPECT_LE(fit(samples, {.knots = 3, .tolerance = 0}).knots, 3U);
}

TEST(Piecewise, SamplesMayBeInAnyOrderAndComeTwice) {
  const Samples samples = evenly("swish(x)", 200);
  Samples mixed;
  for (std::size_t i = 0; i < 400; ++i) {
    const std::size_t j = i * 77 % 200;
    mixed.x.push_back(samples.x[j]);
    mixed.y.push_back(samples.y[j] + (i < 200 ? 0.01 : -0.01));  // two at each x, whose mean is the curve
  }
  EXPECT_EQ(call_of(mixed), call_of(samples));
  EXPECT_NEAR(fit(mixed).rms_error, 0.01, 0.001);
}

TEST(Piecewise, IsClosestWhereSamplesAreDense) {
  Samples normal;
  Random random(1, 0, "inputs");
  while (normal.x.size() < 1000) {
    const double x = random.normal();
    if (std::fabs(x) <= 5) normal.x.push_back(x), normal.y.push_back(std::tanh(x));
  }
  const Reference dense(fit(normal, {.knots = 8, .tolerance = 0}).expr);
  const Reference even(fit(evenly("tanh(x)"), {.knots = 8, .tolerance = 0}).expr);
  double of_dense = 0, of_even = 0;
  for (const double x : normal.x) {
    of_dense += std::pow(dense.value(x) - std::tanh(x), 2);
    of_even += std::pow(even.value(x) - std::tanh(x), 2);
  }
  EXPECT_LT(of_dense, 0.8 * of_even);
}

TEST(Piecewise, GoesOnInStraightLines) {
  for (const char* text : kCurves) {
    const Reference function(fit(evenly(text)).expr);
    for (const double x : {7.0, 20.0, 1e4}) {
      for (const double side : {-1.0, 1.0}) {
        EXPECT_NEAR(function.at(side * x).slope, function.at(side * 5.001).slope, 1e-9) << text << " at " << side * x;
      }
    }
  }
}

TEST(Piecewise, BoundedCurvesStayBounded) {
  for (const bool smooth : {false, true}) {
    const Properties tanh = properties_of(Reference(fit(evenly("tanh(x)"), {.smooth = smooth}).expr));
    EXPECT_TRUE(tanh.bounded_above && tanh.bounded_below);
    EXPECT_NEAR(tanh.supremum, 1, 0.003);
    EXPECT_NEAR(tanh.infimum, -1, 0.003);
    const Properties swish = properties_of(Reference(fit(evenly("swish(x)"), {.smooth = smooth}).expr));
    EXPECT_FALSE(swish.bounded_above);
  }
}

TEST(Piecewise, FewSamplesAreInterpolated) {
  const Samples two = {{1, 3}, {2, 5}};
  EXPECT_NEAR(Reference(fit(two).expr).value(0), 0.5, 1e-5);
  EXPECT_LT(fit(two).max_error, 1e-5);
  const Samples three = {{-1, 0, 1}, {1, 0, 1}};
  EXPECT_EQ(call_of(three), "add(mul(-1,min(x,0)),relu(x))");
}

TEST(Piecewise, FarFromZeroAndOfAnySize) {
  const auto curve = [](double x) { return 1e6 * std::tanh((x - 2000) / 3); };
  const PiecewiseFit far = fit(evenly(curve, 501, 1990, 2010), {.tolerance = 2e4});
  EXPECT_LT(far.rms_error, 3e4);
  const auto small = [](double x) { return 1e-6 * std::tanh(x * 1e6); };
  EXPECT_LT(fit(evenly(small, 501, -5e-6, 5e-6), {.tolerance = 1e-8}).rms_error, 2e-8);
}

TEST(Piecewise, RefusesWhatIsNoCurve) {
  const auto message = [](const Samples& samples, const PiecewiseOptions& options = {}) -> std::string {
    try {
      fit(samples, options);
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Samples good = {{0, 1}, {0, 1}};
  EXPECT_NE(message({{}, {}}).find("without samples"), std::string::npos);
  EXPECT_NE(message({{2}, {1}}).find("all samples are at x = 2"), std::string::npos);
  EXPECT_NE(message({{2, 2, 2}, {1, 2, 3}}).find("two at different x"), std::string::npos);
  EXPECT_NE(message({{0, 1}, {0, nan}}).find("sample 2 has y = nan"), std::string::npos);
  EXPECT_NE(message({{0, INFINITY}, {0, 1}}).find("sample 2 has x = inf"), std::string::npos);
  EXPECT_NE(message({{0, 1, 2}, {0, 1}}).find("3 x and 2 y"), std::string::npos);
  EXPECT_NE(message(good, {.knots = 0}).find("from 1 to 64"), std::string::npos);
  EXPECT_NE(message(good, {.knots = 65}).find("from 1 to 64"), std::string::npos);
  EXPECT_NE(message(good, {.tolerance = nan}).find("tolerance"), std::string::npos);
  EXPECT_NE(message(good, {.smooth = true, .sharpness = -1}).find("sharpness"), std::string::npos);
}

// ---- that it is a function like any other

TEST(Piecewise, KernelsAreAsAccurateAsFloat32Is) {
  for (const char* text : kCurves) {
    for (const bool smooth : {false, true}) {
      const PiecewiseFit made = fit(evenly(text), {.knots = 20, .smooth = smooth});
      const Reference reference(made.expr);
      const Kernel kernel(made.expr);
      std::vector<float> x;
      for (int i = -4000; i <= 4000; ++i) x.push_back(static_cast<float>(i) * 0.00317F);
      for (const float far : {50.0F, 1e3F, 1e6F}) x.insert(x.end(), {far, -far});
      std::vector<float> y(x.size());
      kernel.forward({.x = x, .y = y});
      double size = 0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        if (std::fabs(x[i]) < 13) size = std::max(size, std::fabs(reference.value(x[i])));
      }
      for (std::size_t i = 0; i < x.size(); ++i) {
        const double wanted = reference.value(x[i]);
        const double allowed = 2e-5 * std::max(size, std::fabs(wanted));
        EXPECT_NEAR(y[i], wanted, smooth ? allowed : allowed / 8) << text << " at " << x[i];
      }
    }
  }
}

TEST(Piecewise, InfinityIsWhereTheTailsLead) {
  const Reference tanh(fit(evenly("tanh(x)")).expr), swish(fit(evenly("swish(x)")).expr);
  EXPECT_NEAR(tanh.value(INFINITY), 1, 0.003);
  EXPECT_NEAR(tanh.value(-INFINITY), -1, 0.003);
  EXPECT_EQ(swish.value(INFINITY), INFINITY);
  EXPECT_TRUE(std::isnan(tanh.value(NAN)));
}

TEST(Piecewise, SlopeAtAKnotIsThatNearerToZero) {
  const Reference function(parse(call_of(evenly("relu(x)+relu(x-1.5)+2*relu(-2-x)"))));
  EXPECT_EQ(function.at(0).slope, 0);
  EXPECT_EQ(function.at(1.5).slope, 1);
  EXPECT_EQ(function.at(-2).slope, 0);
  EXPECT_EQ(function.at(-2.5).slope, -2);
  // Where a side stops growing, the last knot has slope 0.
  const Reference clipped(parse(call_of(evenly("max(min(x,1),-1)"))));
  EXPECT_EQ(clipped.at(1).slope, 0);
  EXPECT_EQ(clipped.at(0.99).slope, 1);
}

TEST(Piecewise, SmoothOnesHaveNoKinks) {
  for (const char* text : kCurves) {
    const PiecewiseFit made = fit(evenly(text), {.smooth = true});
    EXPECT_GT(made.sharpness, 0);
    const Reference function(made.expr);
    // The slope of softplus(k·u) changes by k/4 per unit at most: times a step, that bounds every change.
    const double step = 1e-4;
    for (double x = -12; x < 12; x += 0.01) {
      const double change = function.at(x + step).slope - function.at(x).slope;
      EXPECT_LT(std::fabs(change), 1e-3 * (1 + std::fabs(function.at(x).slope)) * (1 + made.sharpness))
          << text << " " << x;
    }
    // A softplus at a given sharpness is log(2)/k above relu at the bend, and nothing far from it.
    const Reference bend(parse("softplus(8*x)/8"));
    EXPECT_NEAR(bend.value(0), std::log(2) / 8, 1e-12);
  }
  EXPECT_EQ(fit(evenly("swish(x)"), {.smooth = true, .sharpness = 7.5}).sharpness, 7.5);
}

TEST(Piecewise, SmoothOnesFollowSmoothCurvesMoreClosely) {
  for (const char* text : {"tanh(x)", "swish(x)", "sin(x)", "gauss(x)"}) {
    const double sharp = fit(evenly(text), {.knots = 10, .tolerance = 0}).rms_error;
    const double smooth = fit(evenly(text), {.knots = 10, .tolerance = 0, .smooth = true}).rms_error;
    EXPECT_LT(smooth, sharp / 2) << text;
  }
}

TEST(Piecewise, MomentsAgreeWithSimulation) {
  for (const char* text : {"tanh(x)", "swish(x)", "sin(x)"}) {
    for (const bool smooth : {false, true}) {
      const Reference function(fit(evenly(text), {.smooth = smooth}).expr);
      const Moments moments = gaussian_moments(function, {.mean = 0.3, .variance = 1.7});
      ASSERT_TRUE(moments.integrable()) << text;
      // The normal distribution cut into slices of equal width, far into its tails.
      double mean = 0, second = 0, slope = 0, total = 0;
      for (int i = 0; i < 100000; ++i) {
        const double z = -10 + 20 * (i + 0.5) / 100000, weight = std::exp(-z * z / 2);
        const ValueAndSlope at = function.at(0.3 + std::sqrt(1.7) * z);
        total += weight, mean += weight * at.value, second += weight * at.value * at.value,
            slope += weight * at.slope * at.slope;
      }
      EXPECT_NEAR(moments.mean, mean / total, 1e-6) << text;
      EXPECT_NEAR(moments.second_moment, second / total, 1e-6) << text;
      EXPECT_NEAR(moments.derivative_second_moment, slope / total, 2e-4) << text;
    }
  }
}

TEST(Piecewise, IsPrintedReadSimplifiedAndExported) {
  for (const bool smooth : {false, true}) {
    const Expr expr = fit(evenly("sin(3*x)", 200), {.knots = 40, .tolerance = 0, .smooth = smooth}).expr;
    EXPECT_LE(expr.nodes().size() * kMostKnots / 40, kMaxNodes / 4);
    EXPECT_EQ(parse(to_call(expr)), expr);
    EXPECT_EQ(parse(to_infix(expr)), expr);
    EXPECT_EQ(canonical(parse(to_call(expr))).hash(), canonical(expr).hash());
    const Reference written(expr), simple(canonical(expr).to_expr());
    for (double x = -6; x < 6; x += 0.37) EXPECT_NEAR(written.value(x), simple.value(x), 1e-12);
    for (const ExportTarget& target : export_targets()) EXPECT_GT(export_expr(expr, target.name).size(), 100U);
  }
}

TEST(Piecewise, NumbersAreShort) {
  for (const char* text : kCurves) {
    for (const bool smooth : {false, true}) {
      const Expr expr = fit(evenly(text), {.smooth = smooth}).expr;
      for (const Node& node : expr.nodes()) {
        if (node.kind != NodeKind::kConstant) continue;
        const std::string number = number_text(node.constant);
        const auto digits =
            std::ranges::count_if(number.substr(0, number.find('e')), [](char c) { return c >= '1' && c <= '9'; });
        EXPECT_LE(digits, kHingeDigits + 1) << number << " for " << text;
      }
    }
  }
}

// ---- how it is found

// The same least squares with a dense matrix of hats.
double slow_error(const CurveSamples& samples, const std::vector<double>& bends, LevelEnds level) {
  std::vector<double> nodes = {samples.left()};
  nodes.insert(nodes.end(), bends.begin(), bends.end());
  nodes.push_back(samples.right());
  const auto rows = static_cast<Eigen::Index>(samples.x.size()), columns = static_cast<Eigen::Index>(nodes.size());
  Eigen::MatrixXd hats = Eigen::MatrixXd::Zero(rows, columns);
  Eigen::VectorXd right(rows);
  for (Eigen::Index i = 0; i < rows; ++i) {
    const auto sample = static_cast<std::size_t>(i);
    const double root = std::sqrt(samples.weight[sample]), x = samples.x[sample];
    for (std::size_t j = 0; j + 1 < nodes.size(); ++j) {
      if (x < nodes[j] || x > nodes[j + 1] || (x == nodes[j + 1] && j + 2 < nodes.size())) continue;
      const double share = (x - nodes[j]) / (nodes[j + 1] - nodes[j]);
      hats(i, static_cast<Eigen::Index>(j)) += root * (1 - share);
      hats(i, static_cast<Eigen::Index>(j) + 1) += root * share;
    }
    right(i) = root * samples.y[sample];
  }
  if (level.left) hats.col(1) += hats.col(0), hats.col(0).setZero();
  if (level.right) hats.col(columns - 2) += hats.col(columns - 1), hats.col(columns - 1).setZero();
  const Eigen::VectorXd solution = hats.colPivHouseholderQr().solve(right);
  return (hats * solution - right).squaredNorm();
}

TEST(LinearPieces, LeastSquaresAgreeWithADenseSolution) {
  Random random(3, 0, "pieces");
  for (int round = 0; round < 50; ++round) {
    std::vector<double> x, y;
    for (int i = 0; i < 60; ++i) x.push_back(std::round(20 * random.normal()) / 10), y.push_back(random.normal());
    const CurveSamples samples = curve_samples(x, y);
    const PieceFitter fitter(samples);
    std::vector<double> bends;
    for (int i = 0; i < round % 5; ++i) bends.push_back(-1.5 + 0.75 * i + 0.3 * random.uniform());
    for (const LevelEnds level : {LevelEnds{}, LevelEnds{true, false}, LevelEnds{true, true}}) {
      if (bends.empty() && level.right) continue;
      const double error = fitter.error(bends, level);
      EXPECT_NEAR(error, slow_error(samples, bends, level), 1e-10) << round;
      // And the values are those of that error.
      const LinearPieces pieces = fitter.fit(bends, level);
      double sum = 0;
      for (std::size_t i = 0; i < samples.x.size(); ++i) {
        sum += samples.weight[i] * std::pow(pieces.value(samples.x[i]) - samples.y[i], 2);
      }
      EXPECT_NEAR(error, sum, 1e-10);
      EXPECT_TRUE(!level.left || pieces.y[0] == pieces.y[1]);
    }
  }
}

TEST(LinearPieces, BendsThatSamplesDoNotDetermineAreRefused) {
  const CurveSamples samples = curve_samples(std::vector<double>{0, 1, 2, 3}, std::vector<double>{0, 1, 0, 1});
  const PieceFitter fitter(samples);
  EXPECT_TRUE(std::isinf(fitter.error(std::vector<double>{1.2, 1.5, 1.8})));
  EXPECT_TRUE(std::isinf(fitter.error(std::vector<double>{-1})));
  EXPECT_TRUE(std::isinf(fitter.error(std::vector<double>{2, 1})));
  EXPECT_THROW(fitter.fit(std::vector<double>{4}), Error);
}

TEST(ChooseBends, IsNearTheBestOfAll) {
  for (const char* text : kCurves) {
    const Samples given = evenly(text, 61);
    const CurveSamples samples = curve_samples(given.x, given.y);
    const PieceFitter fitter(samples);
    double best[2] = {INFINITY, INFINITY};
    std::vector<double> places;
    for (int i = 5; i <= 155; ++i) places.push_back(-5 + 10 * i / 160.0);
    for (std::size_t i = 0; i < places.size(); ++i) {
      best[0] = std::min(best[0], fitter.error(std::vector<double>{places[i]}));
      for (std::size_t j = i + 1; j < places.size(); ++j) {
        best[1] = std::min(best[1], fitter.error(std::vector<double>{places[i], places[j]}));
      }
    }
    for (const std::size_t most : {1U, 2U}) {
      const Bends bends = choose_bends(samples, fitter, {.most = most, .tolerance = 0});
      const double found = std::sqrt(fitter.error(bends.x, bends.level));
      // A level end may cost 15%.
      EXPECT_LE(found, (bends.level == LevelEnds{} ? 1.05 : 1.35) * std::sqrt(best[most - 1])) << text << " " << most;
    }
  }
}

TEST(Hinges, RoundingDoesNotAddUp) {
  // Sixty slopes, rounded to 1e-5 over pieces 0.16 wide: one rounding is 8e-7 at most, but many in a row would go
  // astray.
  LinearPieces pieces;
  Random random(5, 0, "slopes");
  pieces.x.push_back(-5), pieces.y.push_back(0.1234567);
  for (int i = 1; i <= 61; ++i) {
    pieces.x.push_back(rounded_to(-5 + 10 * i / 61.0, 1e-5));
    pieces.y.push_back(pieces.y.back() + random.normal() * 0.1);
  }
  const Reference function(hinge_expr(hinges_of(pieces)));
  for (std::size_t i = 1; i + 1 < pieces.x.size(); ++i) {
    if (std::fabs(pieces.x[i]) < 0.4) continue;  // next to 0 there is the rounding of f(0), too
    EXPECT_NEAR(function.value(pieces.x[i]), pieces.y[i], 1e-6) << i;
  }
}

TEST(Piecewise, JumpsAreSteepNotEndless) {
  for (const int count : {80, 1001}) {
    const Reference sign(fit(evenly([](double x) { return x < 0 ? -1.0 : 1.0; }, count)).expr);
    EXPECT_NEAR(sign.value(-1), -1, 1e-4);
    EXPECT_NEAR(sign.value(1), 1, 1e-4);
    const Reference pole(fit(evenly([](double x) { return 1 / (x + 1e-3); }, count)).expr);
    for (const Reference* function : {&sign, &pole}) {
      const double most = function == &sign ? 1.5 : 1100;
      for (double x = -5; x < 5; x += 0.00031) EXPECT_LT(std::fabs(function->value(x)), most) << x;
    }
  }
}

TEST(Hinges, RoundedNumbersAreDecimal) {
  EXPECT_EQ(number_text(rounded_to(0.1 + 0.2, 1e-5)), "0.3");
  EXPECT_EQ(number_text(rounded_to(-1e-9, 1e-5)), "0");
  EXPECT_EQ(number_text(rounded_to(123456789, 1000)), "123457000");
  EXPECT_EQ(hinge_step(3.2), 1e-5);
  EXPECT_EQ(hinge_step(0.032), 1e-7);
}

}  // namespace
}  // namespace actforge
