#pragma once

#include <array>
#include <span>
#include <vector>

namespace actforge {

// A function of a standard normal variable z as a sum of Hermite polynomials, g(z) = Σ c_k h_k(z) with E h_j h_k = 1
// for j = k and 0 otherwise. For two normal variables of correlation ρ (Mehler's formula):  E g(z) g(z') = Σ c_k² ρ^k.
struct HermiteSeries {
  static constexpr std::size_t kTerms = 32;
  std::array<double, kTerms> coefficients{};
  double square = 0;  // E g²

  double mean() const { return coefficients[0]; }
  // E g(z) g(z'). What the terms leave of E g² counts as one further term: it matters for ρ near 1 alone.
  double product(double correlation) const;
};

// Where functions are evaluated: equal steps, far enough out that the density is below 1e-14.
std::span<const double> hermite_points();
// From the values at those points, by the trapezium rule, which for smooth functions converges faster than any power of
// the step, and has an error of its square at kinks: 1e-4.
HermiteSeries hermite_series(std::span<const double> values);

}  // namespace actforge
