#include "actforge/expr/moments/moments.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "actforge/base/error.h"
#include "actforge/base/random.h"
#include "actforge/expr/language/graph.h"
#include "actforge/expr/language/parse.h"
#include "actforge/expr/moments/breakpoints.h"
#include "actforge/expr/moments/properties.h"

namespace actforge {
namespace {

using std::numbers::pi;

Moments moments(const char* text, double mean = 0, double variance = 1) {
  return gaussian_moments(Reference(parse(text)), {.mean = mean, .variance = variance});
}

double phi(double z) { return std::exp(-z * z / 2) / std::sqrt(2 * pi); }
double Phi(double z) { return std::erfc(-z / std::sqrt(2.0)) / 2; }

TEST(Moments, KnownClosedForms) {
  for (const double mu : {0.0, -1.3, 2.0}) {
    for (const double variance : {1.0, 0.04, 9.0}) {
      const double s = std::sqrt(variance), t = mu / s;
      const Moments relu = moments("relu(x)", mu, variance);
      const double mean = mu * Phi(t) + s * phi(t), second = (mu * mu + variance) * Phi(t) + mu * s * phi(t);
      EXPECT_NEAR(relu.mean, mean, 1e-11 * (1 + mean));
      EXPECT_NEAR(relu.second_moment, second, 1e-10 * (1 + second));
      EXPECT_NEAR(relu.variance, second - mean * mean, 1e-10 * (1 + second));
      EXPECT_NEAR(relu.derivative_second_moment, Phi(t), 1e-11);

      const Moments exponential = moments("exp(x)", mu, variance);
      EXPECT_NEAR(exponential.mean / std::exp(mu + variance / 2), 1, 1e-10);
      EXPECT_NEAR(exponential.second_moment / std::exp(2 * mu + 2 * variance), 1, 1e-10);

      const Moments square = moments("square(x)", mu, variance);
      EXPECT_NEAR(square.mean, mu * mu + variance, 1e-10 * (1 + square.mean));
      EXPECT_NEAR(square.variance, 2 * variance * variance + 4 * mu * mu * variance, 1e-9 * (1 + square.variance));
      EXPECT_NEAR(square.derivative_second_moment, 4 * (mu * mu + variance), 1e-9 * (1 + square.mean));

      // E erf(x) = erf(mu / sqrt(1 + 2 s²)).
      EXPECT_NEAR(moments("erf(x)", mu, variance).mean, std::erf(mu / std::sqrt(1 + 2 * variance)), 1e-11);
      // sin and cos through the characteristic function.
      EXPECT_NEAR(moments("sin(x)", mu, variance).mean, std::sin(mu) * std::exp(-variance / 2), 1e-11);
      EXPECT_NEAR(moments("cos(x)", mu, variance).second_moment, (1 + std::cos(2 * mu) * std::exp(-2 * variance)) / 2,
                  1e-11);
    }
  }
}

TEST(Moments, KnownConstants) {
  // E|x| = sqrt(2/pi); Var of erf(x) is (2/pi) arcsin(2/3); sign-like quotient has second moment 1.
  EXPECT_NEAR(moments("abs(x)").mean, std::sqrt(2 / pi), 1e-12);
  EXPECT_NEAR(moments("erf(x)").variance, 2 / pi * std::asin(2.0 / 3), 1e-11);
  EXPECT_NEAR(moments("div(x,abs(x))").second_moment, 1, 1e-12);
  EXPECT_NEAR(moments("log_abs_eps(x)").mean, -(0.5772156649015329 + std::log(2)) / 2, 1e-7);
  // SELU's constants make it keep mean 0 and variance 1; the dissertation prints nine digits of them.
  EXPECT_NEAR(moments("selu(x)").mean, 0, 1e-7);
  EXPECT_NEAR(moments("selu(x)").second_moment, 1, 1e-7);
  EXPECT_NEAR(moments("3").mean, 3, 1e-12);
  EXPECT_NEAR(moments("3").variance, 0, 1e-12);
}

// A slow and obvious oracle: the trapezium rule with a million points, for functions without breaks.
TEST(Moments, AgreeWithTheTrapeziumRule) {
  for (const char* text : {"swish(x)", "mul(log_sigmoid(x),arcsinh(x))", "mish(x)", "gelu(x)", "softplus(tanh(x))",
                           "selu(sinh(expm1(arctan(x))))", "pau(x)", "max(swish(x),tanh(x))",
                           "hard_sigmoid(hard_sigmoid(x))*elu(x)", "bessel_i1e(x)"}) {
    for (const auto& [mu, variance] : {std::pair(0.0, 1.0), std::pair(0.7, 2.5)}) {
      const Reference reference(parse(text));
      double mean = 0, second = 0, slope_second = 0;
      constexpr int kPoints = 400000;
      const double h = 24.0 / kPoints;
      for (int i = 0; i <= kPoints; ++i) {
        const double z = -12 + i * h;
        const auto [y, d] = reference.at(mu + std::sqrt(variance) * z);
        const double w = phi(z) * h;
        mean += w * y, second += w * y * y, slope_second += w * d * d;
      }
      const Moments m = moments(text, mu, variance);
      EXPECT_NEAR(m.mean, mean, 1e-8) << text;
      EXPECT_NEAR(m.second_moment, second, 1e-8) << text;
      // A kink between two points costs the trapezium rule a fraction of h.
      EXPECT_NEAR(m.derivative_second_moment, slope_second, 2 * h) << text;
      EXPECT_TRUE(m.integrable()) << text;
    }
  }
}

TEST(Moments, ErrorEstimateCoversTheError) {
  for (const char* text : {"relu(sub(x,0.333))", "abs(sin(mul(3,x)))", "max(x,cos(mul(2,x)))", "sqrt(abs(x))"}) {
    const Moments loose = gaussian_moments(Reference(parse(text)), {.tolerance = 1e-6});
    const Moments tight = gaussian_moments(Reference(parse(text)), {.tolerance = 1e-13});
    EXPECT_LE(std::fabs(loose.mean - tight.mean), loose.error + tight.error) << text;
    EXPECT_LE(std::fabs(loose.variance - tight.variance), loose.error + tight.error) << text;
  }
}

// Closed forms of functions that are easily overlooked: a narrow bump, steep steps, heavy tails.
TEST(Moments, NarrowAndSteepFunctions) {
  // E e^(-(k(x-c))²) = e^(-c²k²/(1+2k²))/sqrt(1+2k²).
  const auto bump = [](double k, double c) {
    return std::exp(-c * c * k * k / (1 + 2 * k * k)) / std::sqrt(1 + 2 * k * k);
  };
  const Moments narrow = moments("gauss(1000*(x-0.5))");
  EXPECT_NEAR(narrow.mean, bump(1000, 0.5), 1e-12);
  EXPECT_NEAR(narrow.second_moment, bump(1000 * std::sqrt(2.0), 0.5), 1e-12);
  for (const char* text : {"sigmoid(10000*x)", "sigmoid(1000000*x)", "0.5*tanh(100000*x)"}) {
    EXPECT_NEAR(moments(text).derivative_mean, 1 / std::sqrt(2 * pi), 1e-7) << text;  // nearly a step of height 1
  }
  EXPECT_NEAR(moments("exp(0.24*x^2)").second_moment, 5, 1e-6);
  EXPECT_NEAR(moments("exp(10*x)").second_moment / std::exp(200.0), 1, 1e-9);
  const Moments shifted = moments("x+1000000");
  EXPECT_LE(std::fabs(shifted.second_moment - 1000000000001.0), shifted.error);
  EXPECT_TRUE(std::isnan(moments("sqrt(x+1)").mean));
  EXPECT_TRUE(std::isnan(moments("(1-x^2)^1.5").mean));
  const Moments hole = moments("sqrt(square(x)-0.000001)");
  EXPECT_TRUE(std::isnan(hole.mean) && !hole.problems.empty());
}

TEST(Moments, VarianceKeepsItsDigitsBesideALargeMean) {
  EXPECT_NEAR(moments("add(tanh(x),1000000)").variance, moments("tanh(x)").variance, 1e-9);
}

TEST(Moments, ReportsWhatIsNotIntegrable) {
  const auto says = [](const char* text, const char* what) {
    const Moments m = moments(text);
    std::string all;
    for (const std::string& problem : m.problems) all += problem + "; ";
    EXPECT_NE(all.find(what), std::string::npos) << text << ": " << all;
    return m;
  };
  EXPECT_TRUE(
      std::isnan(says("reciprocal(x)", "the mean is not integrable: |f| grows like 1/|x - c|^1 near x = 0").mean));
  EXPECT_TRUE(std::isnan(says("reciprocal(sub(x,2))", "near x = 2").mean));
  EXPECT_TRUE(std::isnan(says("reciprocal(square(x))", "grows like").mean));
  EXPECT_TRUE(std::isnan(says("exp(square(x))", "outgrows the normal density").mean));
  EXPECT_TRUE(std::isnan(says("exp(exp(x))", "outgrows the normal density towards +inf").mean));
  EXPECT_TRUE(std::isnan(says("sqrt(x)", "undefined (NaN)").mean));
  EXPECT_TRUE(std::isnan(says("reciprocal(relu(x))", "infinite").mean));
  // E f exists, E f² does not: f = e^(x²/3).
  const Moments half = says("exp(mul(0.333333333333,square(x)))", "the variance is not integrable");
  EXPECT_NEAR(half.mean, std::sqrt(3.0), 1e-6);
  EXPECT_TRUE(std::isnan(half.variance));
  // f is harmless, the square of its derivative 1/(4x) is not.
  const Moments root = says("sqrt(abs(x))", "the variance of the derivative is not integrable");
  EXPECT_TRUE(std::isfinite(root.variance));
  EXPECT_TRUE(std::isnan(root.derivative_second_moment));
  EXPECT_TRUE(moments("log_abs_eps(x)").problems.size() > 0);  // its slope 1/x
  EXPECT_TRUE(std::isfinite(moments("log_abs_eps(x)").variance));
}

TEST(Moments, PointMassAndBadInput) {
  const Moments m = moments("square(x)", 3, 0);
  EXPECT_EQ(m.mean, 9);
  EXPECT_EQ(m.variance, 0);
  EXPECT_EQ(m.derivative_second_moment, 36);
  EXPECT_THROW(moments("x", 0, -1), Error);
  EXPECT_THROW(moments("x", std::nan(""), 1), Error);
}

TEST(Breakpoints, AreFoundToTheLastDigits) {
  std::vector<double> grid;
  for (int i = -1000; i <= 1000; ++i) grid.push_back(i * 0.01 + 0.00123);
  const auto breaks = [&](const char* text) { return find_breakpoints(Reference(parse(text)), grid); };
  EXPECT_EQ(breaks("relu(x)"), std::vector<double>{0});
  EXPECT_TRUE(breaks("tanh(x)").empty());
  const auto cross = breaks("max(cos(x),x)");  // one crossing, at the fixed point of cosine
  ASSERT_EQ(cross.size(), 1u);
  EXPECT_NEAR(cross[0], 0.7390851332151607, 1e-14);
  const auto touch = breaks("reciprocal(square(sub(x,1)))");
  ASSERT_EQ(touch.size(), 1u);
  EXPECT_NEAR(touch[0], 1, 1e-6);
  EXPECT_EQ(breaks("hard_sigmoid(x)").size(), 2u);
  EXPECT_EQ(breaks("abs(sin(x))").size(), 7u);
}

TEST(Properties, OfWellKnownFunctions) {
  const auto of = [](const char* text) { return properties_of(Reference(parse(text))); };
  const Properties relu = of("relu(x)");
  EXPECT_EQ(relu.monotone, "increasing");
  EXPECT_TRUE(relu.bounded_below && !relu.bounded_above);
  ASSERT_EQ(relu.kinks.size(), 1u);
  EXPECT_EQ(relu.kinks[0].kind, "kink");
  const Properties tanh = of("tanh(x)");
  EXPECT_TRUE(tanh.odd && tanh.zero_mean && tanh.bounded_above && tanh.bounded_below && tanh.kinks.empty());
  EXPECT_EQ(of("swish(x)").monotone, "no");
  EXPECT_FALSE(of("swish(x)").zero_mean);
  EXPECT_FALSE(of("arcsinh(x)").bounded_above);
  EXPECT_TRUE(of("cosh(x)").even);
  EXPECT_EQ(of("negative(x)").monotone, "decreasing");
  EXPECT_EQ(of("2").monotone, "constant");
  EXPECT_FALSE(of("sqrt(x)").defined);
  EXPECT_EQ(of("reciprocal(x)").kinks.at(0).kind, "pole");
  EXPECT_EQ(of("div_no_nan(x,abs(x))").kinks.at(0).kind, "jump");
  EXPECT_TRUE(of("elu(x)").kinks.empty());
  EXPECT_TRUE(of("sin(x)").bounded_above && of("sin(x)").bounded_below && of("sin(x)").odd);
  EXPECT_FALSE(of("x*sin(x)").bounded_above || of("x*sin(x)").bounded_below);
  EXPECT_EQ(of("reciprocal(x)").monotone, "no");
  EXPECT_FALSE(of("reciprocal(x)").bounded_below || of("reciprocal(x)").bounded_above);
  EXPECT_FALSE(of("log_abs_eps(x)").bounded_below);
  EXPECT_FALSE(of("relu(x-20)").even);
}

}  // namespace
}  // namespace actforge
