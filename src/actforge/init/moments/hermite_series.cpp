#include "actforge/init/moments/hermite_series.h"

#include <cmath>
#include <numbers>

namespace actforge {
namespace {

constexpr std::size_t kTerms = HermiteSeries::kTerms;
constexpr double kEnd = 8, kStep = 1.0 / 32;
constexpr auto kPoints = static_cast<std::size_t>(2 * kEnd / kStep) + 1;

// Density times step, and all polynomials times that, at every point.
struct Table {
  std::array<double, kPoints> points{}, weights{};
  std::array<std::array<double, kTerms>, kPoints> terms{};

  Table() {
    for (std::size_t i = 0; i < kPoints; ++i) {
      const double z = static_cast<double>(i) * kStep - kEnd;
      points[i] = z;
      weights[i] = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi) * kStep;
      // h_{k+1} √(k+1) = z h_k - √k h_{k-1}
      double before = 0, now = 1;
      for (std::size_t k = 0; k < kTerms; ++k) {
        terms[i][k] = weights[i] * now;
        const auto order = static_cast<double>(k);
        const double next = (z * now - std::sqrt(order) * before) / std::sqrt(order + 1);
        before = now;
        now = next;
      }
    }
  }
};

const Table& table() {
  static const Table known;
  return known;
}

}  // namespace

double HermiteSeries::product(double correlation) const {
  double sum = 0, rest = square, power = 1;
  for (const double c : coefficients) {
    sum += c * c * power;
    rest -= c * c;
    power *= correlation;
  }
  return sum + (rest > 0 ? rest * power : 0);
}

std::span<const double> hermite_points() { return table().points; }

HermiteSeries hermite_series(std::span<const double> values) {
  HermiteSeries series;
  const Table& known = table();
  for (std::size_t i = 0; i < kPoints; ++i) {
    series.square += known.weights[i] * values[i] * values[i];
    for (std::size_t k = 0; k < kTerms; ++k) series.coefficients[k] += known.terms[i][k] * values[i];
  }
  return series;
}

}  // namespace actforge
