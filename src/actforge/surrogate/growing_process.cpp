#include "actforge/surrogate/growing_process.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace actforge {
namespace {

// Equal points without noise would leave nothing; the least that doubles tell from rounding.
constexpr double kLeastShare = 1e-10;

double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

void subtract(std::vector<double>& from, double factor, std::span<const double> values) {
  for (std::size_t i = 0; i < from.size(); ++i) from[i] -= factor * values[i];
}

}  // namespace

std::vector<double> GrowingProcess::solve(std::span<const double> correlations) const {
  std::vector<double> solution;
  solution.reserve(size() + 1);
  for (std::size_t i = 0; i < size(); ++i) {
    const double rest = correlations[i] - dot(solution, std::span(lower_[i]).first(i));
    solution.push_back(rest / lower_[i][i]);
  }
  return solution;
}

void GrowingProcess::add_measurement(std::span<const double> to_measurements, std::span<const double> to_places) {
  std::vector<double> row = solve(to_measurements);
  const double diagonal = std::sqrt(std::max(kLeastShare, 1 + noise_ - dot(row, row)));
  std::vector<double> z(to_places.begin(), to_places.end());
  for (std::size_t i = 0; i < size(); ++i) subtract(z, row[i], z_[i]);
  const double one = (1 - dot(row, ones_)) / diagonal;
  for (std::size_t place = 0; place < z.size(); ++place) {
    z[place] /= diagonal;
    explained_[place] += z[place] * z[place];
    ones_part_[place] += one * z[place];
  }
  row.push_back(diagonal);
  lower_.push_back(std::move(row));
  z_.push_back(std::move(z));
  ones_.push_back(one);
  ones_squared_ += one * one;
}

void GrowingProcess::add_place(std::span<const double> to_measurements) {
  const std::vector<double> z = solve(to_measurements);
  for (std::size_t i = 0; i < size(); ++i) z_[i].push_back(z[i]);
  explained_.push_back(dot(z, z));
  ones_part_.push_back(dot(z, ones_));
  expected_.push_back(0);
}

// Only those with values tell m and a².
void GrowingProcess::set_values(std::span<const double> values) {
  std::vector<double> v;
  for (std::size_t i = 0; i < values.size(); ++i) {
    v.push_back((values[i] - dot(v, std::span(lower_[i]).first(i))) / lower_[i][i]);
  }
  const std::span<const double> ones = std::span(ones_).first(values.size());
  mean_ = dot(ones, v) / dot(ones, ones);
  subtract(v, mean_, ones);
  projected_ = std::move(v);
  variance_ = dot(projected_, projected_) / static_cast<double>(projected_.size());
  std::ranges::fill(expected_, 0.0);
  for (std::size_t i = 0; i < projected_.size(); ++i) subtract(expected_, -projected_[i], z_[i]);
}

Belief GrowingProcess::belief(std::size_t place) const {
  return belief_of(expected_[place], explained_[place], ones_part_[place]);
}

Belief GrowingProcess::belief_at(std::span<const double> to_measurements) const {
  const std::vector<double> z = solve(to_measurements);
  return belief_of(dot(projected_, z), dot(z, z), dot(z, ones_));
}

Belief GrowingProcess::belief_of(double expected, double explained, double ones_part) const {
  const double gap = 1 - ones_part;
  const double share = std::max(0.0, 1 - explained + gap * gap / ones_squared_);
  return {.mean = mean_ + expected, .deviation = std::sqrt(variance_ * share)};
}

double GrowingProcess::amplitude() const { return std::sqrt(variance_); }

}  // namespace actforge
