// What functions make of normal numbers, and of mixtures of them, against closed forms and against the quadrature that
// AutoInit's means and variances come from.
#include <gtest/gtest.h>

#include <cmath>

#include "actforge/expr/language/parse.h"
#include "actforge/expr/moments/moments.h"
#include "actforge/init/maps/mixed_response.h"
#include "actforge/init/moments/activation_moments.h"

namespace actforge {
namespace {

template <class Function>
HermiteSeries series_of(const Function& function) {
  std::vector<double> values;
  for (const double z : hermite_points()) values.push_back(function(z));
  return hermite_series(values);
}

TEST(HermiteSeries, ProductsOfTwoPlaces) {
  const HermiteSeries relu = series_of([](double z) { return z > 0 ? z : 0; });
  const HermiteSeries square = series_of([](double z) { return z * z; });
  const HermiteSeries sign = series_of([](double z) { return z > 0 ? 1.0 : z < 0 ? -1.0 : 0.0; });
  for (const double r : {0.0, 0.1, 0.4, 0.8, 0.95, 1.0}) {
    // The arc-cosine kernel of degree one; x²; Sheppard's formula.
    EXPECT_NEAR(relu.product(r), (std::sqrt(1 - r * r) + r * (M_PI - std::acos(r))) / (2 * M_PI), 2e-4) << r;
    EXPECT_NEAR(square.product(r), 1 + 2 * r * r, 1e-9) << r;
    EXPECT_NEAR(sign.product(r), 2 / M_PI * std::asin(r), r < 0.9 ? 0.003 : 0.03) << r;
  }
}

// Sizes between those of the table too; the closed form of E f⁴ is that of ReLU, 3/2 v².
TEST(SizeResponse, IsThatOfOtherVariances) {
  for (const char* text : {"swish(x)", "tanh(x)", "selu(x)", "square(x)", "mul(x,relu(x))", "arcsinh(x)"}) {
    const Expr function = parse(text);
    for (const SignalMoments& x : {SignalMoments{0, 0.5}, SignalMoments{0, 1}, SignalMoments{0.7, 2}}) {
      const ActivationMoments f = activation_moments(function, x, false);
      for (const double size : {0.05, 0.3, 1.0, 1.07, 2.5, 15.0}) {
        const Moments exact =
            gaussian_moments(Reference(function), {.mean = x.mean, .variance = x.variance * size, .derivative = false});
        const SizeResponse::At at = f.sizes.at(std::log(size));
        EXPECT_NEAR(at.mean, exact.mean, 1e-3 * std::sqrt(exact.second_moment)) << text << " " << size;
        EXPECT_NEAR(at.square, exact.second_moment, 1e-3 * exact.second_moment) << text << " " << size;
      }
    }
  }
  const ActivationMoments relu = activation_moments(parse("relu(x)"), {0, 1}, false);
  for (const double size : {0.1, 1.0, 3.0}) {
    EXPECT_NEAR(relu.sizes.at(std::log(size)).fourth, 1.5 * size * size, 2e-3 * size * size) << size;
  }
  // Beyond the ends, and with values whose fourth power overflows.
  EXPECT_EQ(relu.sizes.at(-100).square, relu.sizes.at(-3.5).square);
  EXPECT_EQ(relu.sizes.at(100).square, relu.sizes.at(3).square);
  EXPECT_TRUE(std::isfinite(activation_moments(parse("exp(mul(x,abs(x)))*1e-9"), {0, 0.1}, false).sizes.at(0).fourth));
}

// Where F is a power of v, sizes that are log-normal have closed forms: E v^a = (1 + C)^(a (a - 1)/2).
TEST(MixedResponse, OfPowers) {
  const ActivationMoments square = activation_moments(parse("square(x)"), {0, 1}, false);  // F = 3v², E f⁴ = 105v⁴
  constexpr double kSpread = 0.1;
  const MixedResponse one = mixed_response(square.sizes, {}, kSpread, {});
  EXPECT_NEAR(one.mean, 1, 1e-3);
  EXPECT_NEAR(one.square, 3 * (1 + kSpread), 3e-3);
  EXPECT_NEAR(one.spread, std::pow(1 + kSpread, 4) - 1, 3e-3);
  EXPECT_NEAR(one.own, 105.0 / 9 - 1, 0.03);
  EXPECT_EQ(one.profile, nullptr);
  // Two places of sizes 1/2 and 3/2, the larger one without chance.
  const auto sizes = std::make_shared<const Profile>(Profile{0.5F, 1.5F});
  const auto deviations = std::make_shared<const Profile>(Profile{1, 0});
  const MixedResponse two = mixed_response(square.sizes, sizes, kSpread, deviations);
  const double small = 0.25 * (1 + kSpread), large = 2.25;
  EXPECT_NEAR(two.square, 3 * (small + large) / 2, 3e-3);
  EXPECT_NEAR((*two.profile)[0] / (*two.profile)[1], small / large, 1e-3);
  EXPECT_NEAR(two.spread, one.spread * small / (small + large), 1e-3);
  EXPECT_EQ((*two.deviations)[1], 0);
  // Rounding may leave less than nothing of the spread of constants.
  EXPECT_NEAR(mixed_response(square.sizes, {}, -1e-18, {}).square, 3, 3e-3);
  // The same everywhere is no profile.
  const auto equal = std::make_shared<const Profile>(Profile{1, 1});
  EXPECT_EQ(mixed_response(square.sizes, equal, kSpread, {}).profile, nullptr);
}

}  // namespace
}  // namespace actforge
