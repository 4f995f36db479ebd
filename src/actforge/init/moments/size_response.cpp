#include "actforge/init/moments/size_response.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "actforge/init/moments/hermite_series.h"

namespace actforge {
namespace {

// The largest size has a deviation of 4.5: its numbers lie within 24 of the mean, five of its deviations. Out there the
// density is wide, and a coarser step is fine enough.
constexpr double kEnd = 24, kOuterStep = 0.25;

// So that its fourth power is finite.
double bounded(double value) { return std::clamp(value, -1e70, 1e70); }

}  // namespace

std::span<const double> SizeResponse::outer_points() {
  static const std::vector<double> points = [] {
    std::vector<double> pairs;
    for (double z = hermite_points().back() + kOuterStep; z <= kEnd; z += kOuterStep) {
      pairs.push_back(z), pairs.push_back(-z);
    }
    return pairs;
  }();
  return points;
}

// The density of every size at every distance from the mean, times the step: the trapezium rule. The values on both
// sides of the mean have the same.
struct SizeResponse::Weights {
  std::vector<Row> rows;

  Weights() {
    const std::span<const double> inner = hermite_points(), outer = outer_points();
    const std::size_t middle = inner.size() / 2;
    const double step = inner[1] - inner[0];
    for (std::size_t i = middle; i < inner.size(); ++i) {
      // The mean is not on both sides of itself.
      const double share = i == middle ? step / 2 : i + 1 == inner.size() ? (step + kOuterStep) / 2 : step;
      rows.push_back(row(inner[i], share));
    }
    for (std::size_t i = 0; i < outer.size(); i += 2) rows.push_back(row(outer[i], kOuterStep));
    Row sums{};
    for (const Row& row : rows) {
      for (std::size_t k = 0; k < kSizes; ++k) sums[k] += 2 * row[k];
    }
    for (Row& row : rows) {
      for (std::size_t k = 0; k < kSizes; ++k) row[k] /= sums[k];
    }
  }

  static Row row(double z, double share) {
    Row densities{};
    for (std::size_t k = 0; k < kSizes; ++k) {
      const double log_size = kLowest + static_cast<double>(k) * kStep;
      const double exponent = z * z / 2 * std::exp(-log_size);
      // Numbers near the smallest that there are would take a hundred times as long.
      densities[k] = exponent < 200 ? share * std::exp(-exponent - log_size / 2) : 0;
    }
    return densities;
  }
};

const SizeResponse::Weights& SizeResponse::weights() {
  static const Weights known;
  return known;
}

SizeResponse::SizeResponse(std::span<const double> inner, std::span<const double> outer) {
  const std::vector<Row>& rows = weights().rows;
  const std::size_t middle = inner.size() / 2;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::size_t pair = i <= middle ? 0 : 2 * (i - middle - 1);
    const double above = bounded(i <= middle ? inner[middle + i] : outer[pair]);
    const double below = bounded(i <= middle ? inner[middle - i] : outer[pair + 1]);
    const double a = above * above, b = below * below;
    const double first = above + below, second = a + b, fourth = a * a + b * b;
    for (std::size_t k = 0; k < kSizes; ++k) {
      mean_[k] += rows[i][k] * first;
      square_[k] += rows[i][k] * second;
      fourth_[k] += rows[i][k] * fourth;
    }
  }
}

// The cubic through the four nearest sizes.
SizeResponse::At SizeResponse::at(double log_size) const {
  const double place = std::clamp((log_size - kLowest) / kStep, 0.0, static_cast<double>(kSizes - 1));
  const auto from = std::clamp<std::size_t>(static_cast<std::size_t>(place), 1, kSizes - 3) - 1;
  const double t = place - static_cast<double>(from);
  const double weights[] = {(t - 1) * (t - 2) * (t - 3) / -6, t * (t - 2) * (t - 3) / 2, t * (t - 1) * (t - 3) / -2,
                            t * (t - 1) * (t - 2) / 6};
  At result;
  for (std::size_t i = 0; i < 4; ++i) {
    result.mean += weights[i] * mean_[from + i];
    result.square += weights[i] * square_[from + i];
    result.fourth += weights[i] * fourth_[from + i];
  }
  return result;
}

}  // namespace actforge
