#include "actforge/surrogate/block_process.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

#include "actforge/base/error.h"
#include "actforge/surrogate/distances.h"

namespace actforge {
namespace {

using Eigen::Index;
using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// Finding settings takes dozens of Cholesky factors; of more points some tell enough.
constexpr std::size_t kMostToSearch = 150;

void check(const BlockDistances& between, std::span<const double> values, std::span<const double> runs) {
  const auto fail = [](const char* why) { throw Error(ErrorCode::kBadInput, why); };
  if (between.rows == 0) fail("there is nothing to learn from");
  if (between.rows != between.columns || values.size() != between.rows || runs.size() != between.rows) {
    fail("a process needs one value and one number of runs for each point");
  }
  if (!std::ranges::all_of(values, [](double v) { return std::isfinite(v); })) fail("a value is not a finite number");
}

RowMatrix scaled_squares(const BlockDistances& distances, const std::vector<double>& lengths) {
  const auto rows = static_cast<Index>(distances.rows), columns = static_cast<Index>(distances.columns);
  RowMatrix sum = RowMatrix::Zero(rows, columns);
  for (std::size_t b = 0; b < distances.blocks.size(); ++b) {
    sum += Eigen::Map<const RowMatrix>(distances.blocks[b].data(), rows, columns) / (lengths[b] * lengths[b]);
  }
  return sum;
}

// Of points that differ; 1 where none do.
double median_distance(std::span<const double> squares) {
  std::vector<double> all;
  for (const double square : squares) {
    if (square > 0) all.push_back(square);
  }
  if (all.empty()) return 1;
  std::ranges::nth_element(all, all.begin() + std::ssize(all) / 2);
  return std::sqrt(all[all.size() / 2]);
}

// Every k-th point, so that there are no more than that many.
struct Sample {
  BlockDistances between = {};
  std::vector<double> values = {}, runs = {};

  Sample(const BlockDistances& all, std::span<const double> all_values, std::span<const double> all_runs) {
    const std::size_t step = (all.rows + kMostToSearch - 1) / kMostToSearch;
    std::vector<std::size_t> taken;
    for (std::size_t i = 0; i < all.rows; i += step) taken.push_back(i);
    between = {.rows = taken.size(), .columns = taken.size(), .blocks = {}};
    for (std::size_t b = 0; b < all.blocks.size(); ++b) {
      std::vector<double>& block = between.blocks.emplace_back();
      for (const std::size_t i : taken) {
        for (const std::size_t j : taken) block.push_back(all.row(b, i)[j]);
      }
    }
    for (const std::size_t i : taken) {
      values.push_back(all_values[i]);
      runs.push_back(all_runs[i]);
    }
  }
};

// Goes uphill along one setting after the other.
class Search {
 public:
  Search(const BlockDistances& all, std::span<const double> values, std::span<const double> runs)
      : sample_(all, values, runs) {
    for (const std::vector<double>& block : sample_.between.blocks) {
      usual_.push_back(kUsualLength * median_distance(block));
    }
    best_ = {.lengths = usual_};
    most_ = goodness(best_);
  }

  BlockProcess::Settings run() {
    for (const double step : {8.0, 2.0, 2.0, std::sqrt(2.0)}) {
      for (std::size_t b = 0; b < usual_.size(); ++b) {
        climb(step, [&](BlockProcess::Settings& settings, double factor) { settings.lengths[b] *= factor; });
      }
      climb(step * std::sqrt(2.0), [&](BlockProcess::Settings& settings, double factor) { settings.noise *= factor; });
    }
    return best_;
  }

 private:
  static constexpr double kUsualLength = 1.35;

  template <class Change>
  void climb(double step, const Change& change) {
    for (const double factor : {step, 1 / step}) {
      for (int steps = 0; steps < 4; ++steps) {
        BlockProcess::Settings next = best_;
        change(next, factor);
        next.noise = std::clamp(next.noise, 1e-4, 1e2);
        const double value = goodness(next);
        if (value <= most_) break;
        most_ = value;
        best_ = next;
      }
    }
  }

  double goodness(const BlockProcess::Settings& settings) const {
    BlockProcess process;
    process.fit(sample_.between, sample_.values, sample_.runs, settings);
    double value = process.log_likelihood();
    for (std::size_t b = 0; b < usual_.size(); ++b) {
      const double off = std::log(settings.lengths[b] / usual_[b]);
      value -= off * off / 2;
    }
    return value;
  }

  Sample sample_;
  std::vector<double> usual_;
  BlockProcess::Settings best_;
  double most_ = 0;
};

}  // namespace

double BlockProcess::correlation(double squared) {
  const double s = std::sqrt(5 * squared);
  return (1 + s + s * s / 3) * std::exp(-s);
}

BlockProcess::Settings BlockProcess::find_settings(const BlockDistances& between, std::span<const double> values,
                                                   std::span<const double> runs) {
  check(between, values, runs);
  return Search(between, values, runs).run();
}

void BlockProcess::fit(const BlockDistances& between, std::span<const double> values, std::span<const double> runs) {
  Settings settings = find_settings(between, values, runs);
  do {
    fit(between, values, runs, settings);
    settings.noise *= 10;
  } while (std::isinf(log_likelihood_));
}

void BlockProcess::fit(const BlockDistances& between, std::span<const double> values, std::span<const double> runs,
                       const Settings& settings) {
  check(between, values, runs);
  settings_ = settings;
  const auto n = static_cast<Index>(between.rows);
  const Eigen::Map<const Eigen::ArrayXd> counts(runs.data(), n);
  const Eigen::Map<const Eigen::VectorXd> y(values.data(), n);
  RowMatrix c = scaled_squares(between, settings.lengths).unaryExpr(&correlation);
  c.diagonal().array() += settings.noise / counts + 1e-10;
  const Eigen::LLT<RowMatrix> factor(c);
  if (factor.info() != Eigen::Success) {
    log_likelihood_ = -std::numeric_limits<double>::infinity();
    return;
  }
  const RowMatrix lower = factor.matrixL();
  const Eigen::VectorXd u = lower.triangularView<Eigen::Lower>().solve(Eigen::VectorXd::Ones(n));
  const Eigen::VectorXd v = lower.triangularView<Eigen::Lower>().solve(y);
  ones_squared_ = u.squaredNorm();
  mean_ = u.dot(v) / ones_squared_;
  const Eigen::VectorXd w = v - mean_ * u;
  // Values that do not vary have a likelihood without bound; the least variance that doubles tell from rounding.
  const double least = 1e-24 * std::max(1e-12, y.squaredNorm() / static_cast<double>(n));
  variance_ = std::max(least, w.squaredNorm() / static_cast<double>(n));
  log_likelihood_ = -static_cast<double>(n) / 2 * std::log(variance_) - lower.diagonal().array().log().sum();
  lower_.assign(lower.data(), lower.data() + lower.size());
  ones_.assign(u.data(), u.data() + n);
  projected_.assign(w.data(), w.data() + n);
}

Belief BlockProcess::belief(double z_w, double z_z, double z_u) const {
  const double gap = 1 - z_u;
  const double share = std::max(0.0, 1 - z_z + gap * gap / ones_squared_);
  return {.mean = mean_ + z_w, .deviation = std::sqrt(variance_ * share)};
}

std::vector<Belief> BlockProcess::believe(const BlockDistances& to) const {
  if (to.rows != size() || to.blocks.size() != settings_.lengths.size()) {
    throw Error(ErrorCode::kBadInput, "distances are not those from the points that were learnt from");
  }
  const auto n = static_cast<Index>(size());
  const Eigen::Map<const RowMatrix> lower(lower_.data(), n, n);
  const Eigen::Map<const Eigen::VectorXd> w(projected_.data(), n), u(ones_.data(), n);
  RowMatrix z = scaled_squares(to, settings_.lengths).unaryExpr(&correlation);
  lower.triangularView<Eigen::Lower>().solveInPlace(z);
  std::vector<Belief> beliefs;
  beliefs.reserve(to.columns);
  for (Index i = 0; i < z.cols(); ++i) {
    beliefs.push_back(belief(z.col(i).dot(w), z.col(i).squaredNorm(), z.col(i).dot(u)));
  }
  return beliefs;
}

double BlockProcess::amplitude() const { return std::sqrt(variance_); }

double BlockProcess::noise() const { return std::sqrt(variance_ * settings_.noise); }

BlockDistances block_distances(PointsView a, PointsView b) {
  BlockDistances result = {.rows = a.count, .columns = b.count, .blocks = {{}}};
  result.blocks[0].reserve(a.count * b.count);
  for (std::size_t i = 0; i < a.count; ++i) {
    for (std::size_t j = 0; j < b.count; ++j) {
      const double d = distance(a.row(i), b.row(j), Metric::kEuclidean);
      result.blocks[0].push_back(d * d);
    }
  }
  return result;
}

}  // namespace actforge
