#include "actforge/surrogate/noisy_process.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "actforge/base/error.h"
#include "actforge/base/random.h"
#include "actforge/surrogate/regressor.h"

namespace actforge {
namespace {

Points line(std::size_t count, double step) {
  Points points(count, 1);
  for (std::size_t i = 0; i < count; ++i) points.row(i)[0] = static_cast<float>(step * static_cast<double>(i));
  return points;
}

double matern(double d) { return (1 + std::sqrt(5.0) * d + 5.0 / 3 * d * d) * std::exp(-std::sqrt(5.0) * d); }

// The formulas of the header, with inverses written out.
TEST(NoisyProcess, IsWhatTheFormulasSay) {
  const Points points = line(6, 0.7);
  const std::vector<double> values = {1, 2, 1.5, 0, -1, 0.5}, runs = {1, 4, 1, 2, 1, 8};
  constexpr double kLength = 1.3, kNoise = 0.2;
  NoisyProcess process;
  process.fit(points, values, runs, {.length = kLength, .noise = kNoise});
  Eigen::MatrixXd c(6, 6);
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) {
      c(i, j) = matern(std::fabs(double(points.row(i)[0]) - double(points.row(j)[0])) / kLength) +
                (i == j ? kNoise / runs[static_cast<std::size_t>(i)] + 1e-10 : 0);
    }
  }
  const Eigen::MatrixXd inverse = c.inverse();
  const Eigen::VectorXd y = Eigen::Map<const Eigen::VectorXd>(values.data(), 6), one = Eigen::VectorXd::Ones(6);
  const double mean = one.dot(inverse * y) / one.dot(inverse * one);
  const Eigen::VectorXd rest = y - mean * one;
  const double variance = rest.dot(inverse * rest) / 6;
  EXPECT_NEAR(process.mean(), mean, 1e-9);
  EXPECT_NEAR(process.amplitude(), std::sqrt(variance), 1e-9);
  EXPECT_NEAR(process.log_likelihood(), -3 * std::log(variance) - 0.5 * std::log(c.determinant()), 1e-8);
  Points at(1, 1);
  at.row(0)[0] = 1.05F;
  Eigen::VectorXd k(6);
  for (int i = 0; i < 6; ++i) k(i) = matern(std::fabs(1.05F - points.row(i)[0]) / kLength);
  const Belief belief = process.believe(at)[0];
  EXPECT_NEAR(belief.mean, mean + k.dot(inverse * rest), 1e-6);
  const double gap = 1 - one.dot(inverse * k);
  const double share = 1 - k.dot(inverse * k) + gap * gap / one.dot(inverse * one);
  EXPECT_NEAR(*belief.deviation, std::sqrt(variance * share), 1e-6);
}

struct Problem {
  Points points = {};
  std::vector<double> values = {}, runs = {}, truth = {};
};

// A wave of height 1 with noise.
Problem noisy_wave(std::uint64_t seed, std::size_t count, double noise) {
  Problem problem = {.points = line(count, 0.1)};
  Random random(seed);
  for (std::size_t i = 0; i < count; ++i) {
    problem.truth.push_back(std::sin(0.1 * static_cast<double>(i)));
    problem.runs.push_back(i % 5 == 0 ? 9 : 1);
    problem.values.push_back(problem.truth[i] + noise * random.normal() / std::sqrt(problem.runs[i]));
  }
  return problem;
}

TEST(NoisyProcess, FindsTheNoise) {
  for (const double noise : {0.05, 0.3}) {
    double found = 0;
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      const Problem problem = noisy_wave(seed, 100, noise);
      NoisyProcess process;
      process.fit(problem.points, problem.values, problem.runs);
      found += process.noise() / 10;
    }
    EXPECT_NEAR(found, noise, 0.25 * noise);
  }
}

double error_of(const char* regressor, const Problem& problem, bool with_runs) {
  const auto made = find_regressor(regressor).make({.threads = 1});
  made->fit(problem.points, problem.values,
            with_runs ? std::span<const double>(problem.runs) : std::span<const double>());
  const std::vector<double> predicted = made->predict(problem.points);
  double squares = 0;
  for (std::size_t i = 0; i < predicted.size(); ++i) {
    squares += (predicted[i] - problem.truth[i]) * (predicted[i] - problem.truth[i]);
  }
  return std::sqrt(squares / static_cast<double>(predicted.size()));
}

TEST(NoisyProcess, IsNearerToTheTruthThanOneWithoutNoise) {
  double noisy = 0, unweighted = 0, plain = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Problem problem = noisy_wave(seed, 100, 0.3);
    noisy += error_of("gp-noise", problem, true) / 10;
    unweighted += error_of("gp-noise", problem, false) / 10;
    plain += error_of("gp", problem, true) / 10;
  }
  EXPECT_LT(noisy, unweighted);
  EXPECT_LT(noisy, 0.5 * plain);
}

TEST(NoisyProcess, TakesWhatCannotBeFitted) {
  NoisyProcess process;
  const Points same(4, 2);  // all at one place
  process.fit(same, std::vector<double>{1, 2, 3, 4}, std::vector<double>{1, 1, 1, 1});
  EXPECT_NEAR(process.believe(same)[0].mean, 2.5, 1e-6);
  process.fit(line(3, 1), std::vector<double>{2, 2, 2}, std::vector<double>{1, 1, 1});
  EXPECT_NEAR(process.believe(line(1, 1))[0].mean, 2, 1e-9);
  process.fit(line(1, 1), std::vector<double>{7}, std::vector<double>{1});
  EXPECT_NEAR(process.believe(line(1, 1))[0].mean, 7, 1e-9);
}

TEST(Regressors, CountMeasurementsWhereTheirRowSaysSo) {
  Points points(2, 1);
  points.row(1)[0] = 1;
  Points between(1, 1);
  between.row(0)[0] = 0.5F;
  for (const RegressorRow& row : regressors()) {
    const auto once = row.make({.threads = 1}), often = row.make({.threads = 1});
    once->fit(points, std::vector<double>{0, 1});
    often->fit(points, std::vector<double>{0, 1}, std::vector<double>{1, 50});
    const bool differ = std::fabs(once->predict(between)[0] - often->predict(between)[0]) > 1e-6;
    EXPECT_EQ(differ, row.knows_noise) << row.name;
    EXPECT_THROW(once->fit(points, std::vector<double>{0, 1}, std::vector<double>{1, 0}), Error) << row.name;
    EXPECT_THROW(once->fit(points, std::vector<double>{0, 1}, std::vector<double>{1}), Error) << row.name;
  }
}

}  // namespace
}  // namespace actforge
