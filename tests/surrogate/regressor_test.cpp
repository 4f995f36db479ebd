#include "actforge/surrogate/regressor.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "actforge/base/error.h"
#include "actforge/surrogate/acquisition.h"
#include "actforge/surrogate/distances.h"
#include "actforge/surrogate/gaussian_process.h"
#include "tests/surrogate/problems.h"

namespace actforge {
namespace {

using Values = std::vector<double>;

Values smooth_values(PointsView points) {
  Values values;
  for (std::size_t i = 0; i < points.count; ++i) {
    values.push_back(std::sin(static_cast<double>(points.row(i)[0])) + static_cast<double>(points.row(i)[1]));
  }
  return values;
}

std::unique_ptr<Regressor> fitted(std::string_view name, PointsView points, const Values& values) {
  auto regressor = find_regressor(name).make({});
  regressor->fit(points, values);
  return regressor;
}

TEST(Regressors, AllLearnASmoothFunction) {
  const Points points = random_points(400, 2), others = random_points(100, 2, 2);
  const Values values = smooth_values(points), truth = smooth_values(others);
  for (const RegressorRow& row : regressors()) {
    const Values predicted = fitted(row.name, points, values)->predict(others);
    double error = 0;
    for (std::size_t i = 0; i < truth.size(); ++i) error += std::pow(predicted[i] - truth[i], 2);
    EXPECT_LT(std::sqrt(error / 100), 0.25) << row.name;
  }
}

TEST(Regressors, AllLearnFromOnePointAndFromEqualOnes) {
  for (const RegressorRow& row : regressors()) {
    EXPECT_NEAR(fitted(row.name, Points::of(2, {1, 2}), {5})->predict(Points::of(2, {1, 2}))[0], 5, 0.11) << row.name;
    const Points same = Points::of(2, {1, 2, 1, 2, 1, 2, 1, 2});
    EXPECT_NEAR(fitted(row.name, same, {1, 2, 3, 4})->predict(Points::of(2, {1, 2}))[0], 2.5, 0.51) << row.name;
  }
}

TEST(Regressors, AllRefuseWhatTheyCannotLearnFrom) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const RegressorRow& row : regressors()) {
    const auto regressor = row.make({});
    EXPECT_THROW(regressor->fit(Points(0, 2), Values{}), Error);
    EXPECT_THROW(regressor->fit(Points(2, 2), Values{1}), Error);
    EXPECT_THROW(regressor->fit(Points(2, 2), (Values{1, nan})), Error);
    EXPECT_THROW(regressor->fit(Points::of(1, {static_cast<float>(nan)}), Values{1}), Error);
    regressor->fit(Points(2, 2), Values{1, 2});
    EXPECT_THROW(regressor->predict(Points(1, 3)), Error);
  }
  EXPECT_THROW(find_regressor("knm"), Error);
}

// The row's word for it, which settings are checked by, and what a regressor really says.
TEST(Regressors, BeliefsAreWhatTheirRowsSay) {
  const Points points = random_points(30, 2), others = random_points(5, 2, 2);
  for (const RegressorRow& row : regressors()) {
    const auto regressor = fitted(row.name, points, smooth_values(points));
    const std::vector<Belief> beliefs = regressor->believe(others);
    const Values means = regressor->predict(others);
    ASSERT_EQ(beliefs.size(), 5u);
    for (std::size_t i = 0; i < beliefs.size(); ++i) {
      EXPECT_EQ(beliefs[i].mean, means[i]) << row.name;
      EXPECT_EQ(beliefs[i].deviation.has_value(), row.has_deviation) << row.name;
    }
  }
}

TEST(NearestRegressor, WeighsByTheInverseOfDistance) {
  const Points points = Points::of(1, {0, 1, 3, 10});
  const auto regressor = fitted("knn", points, {1, 2, 4, 100});
  // Distances 0.5, 0.5 and 2.5.
  EXPECT_NEAR(regressor->predict(Points::of(1, {0.5}))[0], (2 * 1 + 2 * 2 + 0.4 * 4) / 4.4, 1e-12);
  EXPECT_EQ(regressor->predict(Points::of(1, {3}))[0], 4);
  EXPECT_EQ(fitted("knn", Points::of(1, {1, 1, 2}), {1, 2, 9})->predict(Points::of(1, {1}))[0], 1.5);
}

TEST(ForestRegressor, FitsWhatItsTreesSaw) {
  // A step: every tree that saw both sides puts the threshold between them.
  const auto step = fitted("forest", Points::of(1, {0, 1, 2, 3, 4, 5, 6, 7}), {0, 0, 0, 0, 1, 1, 1, 1});
  EXPECT_NEAR(step->predict(Points::of(1, {1}))[0], 0, 0.05);
  EXPECT_NEAR(step->predict(Points::of(1, {6}))[0], 1, 0.05);
  // Neither feature alone tells anything; split twice, they tell all.
  Points corners = Points::of(2, {0, 0, 0, 1, 1, 0, 1, 1});
  Values exclusive = {0, 1, 1, 0};
  for (int i = 0; i < 5; ++i) {
    corners.values.insert(corners.values.end(), {0, 0, 0, 1, 1, 0, 1, 1});
    exclusive.insert(exclusive.end(), {0, 1, 1, 0});
  }
  corners.count = 24;
  const Values predicted = fitted("forest", corners, exclusive)->predict(Points::of(2, {0, 0, 0, 1, 1, 0, 1, 1}));
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(predicted[i], exclusive[i], 0.1);
}

// Leaves hold means of samples, each point in a sample with probability 1 - 1/e: a forest over distinct points
// predicts, at such a point, its own value in 63 of 100 trees.
TEST(ForestRegressor, DrawsBootstrapSamples) {
  const Points points = random_points(200, 2);
  Values values(200, 0.0);
  values[17] = 1;
  const double own = fitted("forest", points, values)->predict(PointsView(points).rows(17, 1))[0];
  EXPECT_NEAR(own, 1 - 1 / std::numbers::e, 0.15);
}

TEST(ForestRegressor, IsTheSameOnAnyNumberOfThreads) {
  const Points points = random_points(100, 3);
  const auto predicted = [&](std::uint64_t seed, std::size_t threads) {
    const auto regressor = find_regressor("forest").make({.seed = seed, .threads = threads});
    regressor->fit(points, smooth_values(points));
    return regressor->predict(random_points(20, 3, 5));
  };
  EXPECT_EQ(predicted(1, 1), predicted(1, 3));
  EXPECT_NE(predicted(1, 1), predicted(2, 1));
}

// The dual of two points with targets 0 and 1: by symmetry coefficients -c and c, and as long as c <= C both errors are
// exactly epsilon: 1 - 2 epsilon = 2c (1 - k), so c = 0.4/(1 - k).
TEST(SupportRegressor, SolvesTwoPoints) {
  const Points points = Points::of(1, {-1, 1});  // variance 1, so gamma is 1 and k = exp(-4)
  const double k = std::exp(-4.0), c = 0.4 / (1 - k);
  const auto regressor = fitted("svr", points, {0, 1});
  for (const double x : {-1.0, 0.0, 0.3, 2.0}) {
    const double expected = 0.5 + c * (std::exp(-(x - 1) * (x - 1)) - std::exp(-(x + 1) * (x + 1)));
    EXPECT_NEAR(regressor->predict(Points::of(1, {static_cast<float>(x)}))[0], expected, 2e-3);
  }
}

// With one measurement y at distance d, k = exp(-d^2/2): mean k y, variance 1 - k^2.
TEST(GaussianProcess, OfOneMeasurement) {
  GaussianProcess process;
  process.fit(Points::of(1, {0}), Values{3});
  for (const Belief& belief : process.believe(Points::of(1, {1.5}))) {
    const double k = std::exp(-1.5 * 1.5 / 2);
    EXPECT_NEAR(belief.mean, 3 * k, 1e-8);
    EXPECT_NEAR(belief.deviation.value(), std::sqrt(1 - k * k), 1e-8);
  }
}

TEST(GaussianProcess, PassesThroughMeasurementsAndForgetsFarAway) {
  const Points points = Points::of(1, {0, 1, 2.5, 4});
  GaussianProcess process;
  process.fit(points, Values{1, -1, 0.5, 2});
  EXPECT_EQ(process.noise(), 1e-10);
  const std::vector<Belief> there = process.believe(points), far = process.believe(Points::of(1, {100}));
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(there[i].mean, (Values{1, -1, 0.5, 2})[i], 1e-6);
    EXPECT_LT(there[i].deviation.value(), 1e-4);
  }
  EXPECT_NEAR(far[0].mean, 0, 1e-12);
  EXPECT_NEAR(far[0].deviation.value(), 1, 1e-12);
}

TEST(GaussianProcess, SurvivesDuplicates) {
  Points points = random_points(60, 2);
  for (float& value : points.values) value /= 1000;
  std::copy_n(points.values.begin(), 60, points.values.begin() + 60);
  const Values values = smooth_values(points);
  GaussianProcess process;
  process.fit(points, values);
  for (const Belief& belief : process.believe(points)) {
    EXPECT_TRUE(std::isfinite(belief.mean));
    EXPECT_TRUE(std::isfinite(belief.deviation.value()));
  }
}

// E[f(v)] over the belief, by the trapezoidal rule over ten deviations.
template <class F>
double expectation(const Belief& belief, F f) {
  double sum = 0;
  for (int i = -100'000; i <= 100'000; ++i) {
    const double z = i * 1e-4;
    sum += std::exp(-z * z / 2) * f(belief.mean + belief.deviation.value() * z);
  }
  return sum * 1e-4 / std::sqrt(2 * std::numbers::pi);
}

TEST(Acquisition, IsThatOfTheDefinitions) {
  for (const Belief& belief : {Belief{1, 0.5}, Belief{0.2, 2}, Belief{3, 0.1}}) {
    EXPECT_NEAR(find_acquisition("expected-improvement").value(belief, 1.1),
                expectation(belief, [](double v) { return std::max(0.0, v - 1.1); }), 1e-6);
    EXPECT_NEAR(find_acquisition("probability-of-improvement").value(belief, 1.1),
                expectation(belief, [](double v) { return v > 1.1 ? 1.0 : 0.0; }), 1e-3);
    EXPECT_EQ(find_acquisition("upper-confidence-bound").value(belief, 9), belief.mean + 2 * belief.deviation.value());
    EXPECT_EQ(find_acquisition("maximum").value(belief, 9), belief.mean);
  }
  for (const AcquisitionRow& row : acquisitions()) {
    EXPECT_GT(row.value({2, 0}, 1), row.value({0.5, 0}, 1)) << row.name;
    EXPECT_TRUE(std::isfinite(row.value({2, 0}, 1)));
  }
  EXPECT_THROW(find_acquisition("maximun"), Error);
}

TEST(Acquisition, RefusesRegressorsThatDoNotSayHowSureTheyAre) {
  for (const AcquisitionRow& acquisition : acquisitions()) {
    // Whether it looks at the deviation, by trying.
    const bool looks = [&] {
      try {
        acquisition.value({.mean = 1}, 0);
        return false;
      } catch (const std::bad_optional_access&) {
        return true;
      }
    }();
    for (const RegressorRow& regressor : regressors()) {
      const auto check = [&] { check_belief(acquisition, regressor); };
      if (looks && !regressor.has_deviation) {
        EXPECT_THROW(check(), Error) << acquisition.name << " " << regressor.name;
      } else {
        EXPECT_NO_THROW(check()) << acquisition.name << " " << regressor.name;
      }
    }
  }
  try {
    check_belief(find_acquisition("expected-improvement"), find_regressor("knn"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
    EXPECT_STREQ(error.what(),
                 "the acquisition 'expected-improvement' looks at how sure a prediction is, which the regressor 'knn' "
                 "does not say; take a regressor that does (gp, gp-noise), or the acquisition maximum");
  }
}

}  // namespace
}  // namespace actforge
