#include "actforge/surrogate/noisy_process.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

#include "actforge/surrogate/distances.h"
#include "actforge/surrogate/make_regressors.h"

namespace actforge {
namespace {

using Eigen::Index;

// Finding length and noise takes a hundred Cholesky factors; of more points some tell enough.
constexpr std::size_t kMostToSearch = 150;

double correlation(double d) {
  const double s = std::sqrt(5.0) * d;
  return (1 + s + s * s / 3) * std::exp(-s);
}

Eigen::MatrixXd distances_between(PointsView a, PointsView b) {
  Eigen::MatrixXd result(static_cast<Index>(a.count), static_cast<Index>(b.count));
  for (std::size_t i = 0; i < a.count; ++i) {
    for (std::size_t j = 0; j < b.count; ++j) {
      result(static_cast<Index>(i), static_cast<Index>(j)) = distance(a.row(i), b.row(j), Metric::kEuclidean);
    }
  }
  return result;
}

// Of points that differ; 1 where none do.
double median_distance(PointsView points) {
  std::vector<double> all;
  for (std::size_t i = 0; i < points.count; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double d = distance(points.row(i), points.row(j), Metric::kEuclidean);
      if (d > 0) all.push_back(d);
    }
  }
  if (all.empty()) return 1;
  std::ranges::nth_element(all, all.begin() + std::ssize(all) / 2);
  return all[all.size() / 2];
}

// Every k-th, so that there are no more than that many.
struct Sample {
  Points points;
  std::vector<double> values, runs;
};

Sample sample_of(PointsView points, std::span<const double> values, std::span<const double> runs) {
  const std::size_t step = (points.count + kMostToSearch - 1) / kMostToSearch;
  Sample sample;
  sample.points = Points(0, points.width);
  for (std::size_t i = 0; i < points.count; i += step) {
    const std::span<const float> row = points.row(i);
    sample.points.values.insert(sample.points.values.end(), row.begin(), row.end());
    ++sample.points.count;
    sample.values.push_back(values[i]);
    sample.runs.push_back(runs[i]);
  }
  return sample;
}

NoisyProcess::Settings best_settings(const Sample& sample) {
  NoisyProcess::Settings best = {.length = median_distance(sample.points)};
  double most = -std::numeric_limits<double>::infinity();
  const auto search = [&](const NoisyProcess::Settings& around, double length_step, double noise_step, int steps) {
    for (int i = -steps; i <= steps; ++i) {
      for (int j = -steps; j <= steps; ++j) {
        NoisyProcess process;
        process.fit(
            sample.points, sample.values, sample.runs,
            {.length = around.length * std::pow(length_step, i), .noise = around.noise * std::pow(noise_step, j)});
        if (process.log_likelihood() <= most) continue;
        most = process.log_likelihood();
        best = process.settings();
      }
    }
  };
  const NoisyProcess::Settings middle = {.length = best.length, .noise = 0.1};
  search(middle, 2, 6, 3);
  search(NoisyProcess::Settings(best), std::sqrt(2.0), std::sqrt(6.0), 1);
  return best;
}

class NoisyRegressor : public Regressor {
 public:
  void learn(PointsView points, std::span<const double> values, std::span<const double> runs) override {
    process_.fit(points, values, runs);
  }
  std::vector<Belief> believe(PointsView points) const override { return process_.believe(points); }

 private:
  NoisyProcess process_;
};

}  // namespace

void NoisyProcess::fit(PointsView points, std::span<const double> values, std::span<const double> runs) {
  Settings settings = best_settings(sample_of(points, values, runs));
  do {
    fit(points, values, runs, settings);
    settings.noise *= 10;
  } while (std::isinf(log_likelihood_));
}

void NoisyProcess::fit(PointsView points, std::span<const double> values, std::span<const double> runs,
                       const Settings& settings) {
  settings_ = settings;
  points_ = Points(points.count, points.width);
  std::copy_n(points.values, points.count * points.width, points_.values.begin());
  const auto n = static_cast<Index>(points.count);
  const Eigen::Map<const Eigen::ArrayXd> counts(runs.data(), n);
  const Eigen::Map<const Eigen::VectorXd> y(values.data(), n);
  Eigen::MatrixXd c = (distances_between(points, points) / settings.length).unaryExpr(&correlation);
  c.diagonal().array() += settings.noise / counts + 1e-10;
  const Eigen::LLT<Eigen::MatrixXd> factor(c);
  if (factor.info() != Eigen::Success) {
    log_likelihood_ = -std::numeric_limits<double>::infinity();
    return;
  }
  const Eigen::MatrixXd lower = factor.matrixL();
  const Eigen::VectorXd ones = factor.solve(Eigen::VectorXd::Ones(n));
  mean_ = ones.dot(y) / ones.sum();
  const Eigen::VectorXd rest = y.array() - mean_;
  const Eigen::VectorXd weights = factor.solve(rest);
  // Values that do not vary have a likelihood without bound; the least variance that doubles tell from rounding.
  const double least = 1e-24 * std::max(1e-12, y.squaredNorm() / static_cast<double>(n));
  variance_ = std::max(least, rest.dot(weights) / static_cast<double>(n));
  log_likelihood_ = -static_cast<double>(n) / 2 * std::log(variance_) - lower.diagonal().array().log().sum();
  lower_.assign(lower.data(), lower.data() + lower.size());
  ones_.assign(ones.data(), ones.data() + n);
  weights_.assign(weights.data(), weights.data() + n);
}

std::vector<Belief> NoisyProcess::believe(PointsView points) const {
  check_predicted(points, points_.width);
  const auto n = static_cast<Index>(points_.count);
  const Eigen::Map<const Eigen::MatrixXd> lower(lower_.data(), n, n);
  const Eigen::Map<const Eigen::VectorXd> weights(weights_.data(), n), ones(ones_.data(), n);
  std::vector<Belief> result;
  for (std::size_t i = 0; i < points.count; ++i) {
    const Eigen::VectorXd c =
        (distances_between(points_, points.rows(i, 1)).col(0) / settings_.length).unaryExpr(&correlation);
    const Eigen::VectorXd explained = lower.triangularView<Eigen::Lower>().solve(c);
    const double gap = 1 - ones.dot(c);
    const double share = std::max(0.0, 1 - explained.squaredNorm() + gap * gap / ones.sum());
    result.push_back({.mean = mean_ + c.dot(weights), .deviation = std::sqrt(variance_ * share)});
  }
  return result;
}

double NoisyProcess::amplitude() const { return std::sqrt(variance_); }

double NoisyProcess::noise() const { return std::sqrt(variance_ * settings_.noise); }

std::unique_ptr<Regressor> make_noisy_regressor(const RunContext&) { return std::make_unique<NoisyRegressor>(); }

}  // namespace actforge
