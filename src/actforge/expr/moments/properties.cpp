#include "actforge/expr/moments/properties.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "actforge/expr/moments/breakpoints.h"
#include "actforge/expr/moments/moments.h"

namespace actforge {
namespace {

constexpr double kRange = 10;

std::vector<double> near_grid() {
  std::vector<double> grid;
  for (int i = -8000; i <= 8000; ++i) grid.push_back(i * (kRange / 8000) + (i == 0 ? 0 : 1e-5));
  return grid;
}

// Log-spaced, densely enough that an oscillation is not always met at the same phase.
std::vector<double> far_grid() {
  std::vector<double> grid;
  for (double x = 1.01 * kRange; x < 1e30; x *= 1.13) grid.insert(grid.end(), {x, -x});
  return grid;
}

struct Samples {
  std::vector<double> x, y;
};

Samples sample(const Reference& function, const std::vector<Kink>& kinks) {
  Samples samples;
  samples.x = near_grid();
  const std::vector<double> far = far_grid();
  samples.x.insert(samples.x.end(), far.begin(), far.end());
  for (const Kink& kink : kinks) {  // a pole hides between the points of a grid
    for (const double d : {1e-6, 1e-8, 1e-10, 1e-12}) samples.x.insert(samples.x.end(), {kink.x - d, kink.x + d});
    samples.x.push_back(kink.x);
  }
  std::ranges::sort(samples.x);
  for (const double x : samples.x) samples.y.push_back(function.value(x));
  return samples;
}

std::string_view monotone(const Samples& s) {
  bool rises = false, falls = false;
  for (std::size_t i = 1; i < s.y.size(); ++i) {
    const double a = s.y[i - 1], b = s.y[i];
    if (std::isnan(a) || std::isnan(b) || a == b) continue;
    const double noise = std::isfinite(a) && std::isfinite(b) ? 1e-13 * (std::fabs(a) + std::fabs(b)) : 0;
    rises = rises || b - a > noise;
    falls = falls || a - b > noise;
  }
  return rises && falls ? "no" : rises ? "increasing" : falls ? "decreasing" : "constant";
}

// Unbounded beside a pole, or if the farthest part of the line goes well beyond all before it: from 1e15 to 1e30 even a
// logarithm doubles.
bool bounded(const Samples& s, const std::vector<Kink>& kinks, double direction) {
  double before = 0, far = 0, beside_pole = 0;
  for (std::size_t i = 0; i < s.x.size(); ++i) {
    const double y = direction * s.y[i];
    if (y == std::numeric_limits<double>::infinity()) return false;
    (std::fabs(s.x[i]) > 1e15 ? far : before) = std::max(std::fabs(s.x[i]) > 1e15 ? far : before, y);
    for (const Kink& kink : kinks) {
      if (kink.kind == "pole" && std::fabs(s.x[i] - kink.x) < 1e-7) beside_pole = std::max(beside_pole, y);
    }
  }
  return far <= 1.5 * before + 1e-3 && (beside_pole == 0 || beside_pole < 1e5);
}

}  // namespace

std::vector<Kink> find_kinks(const Reference& function) {
  std::vector<Kink> kinks;
  for (const double x : find_breakpoints(function, near_grid())) {
    const double d = 1e-7 * (1 + std::fabs(x));
    const ValueAndSlope left = function.at(x - d), right = function.at(x + d), at = function.at(x);
    const auto farther = [&](double side) { return function.at(x + side * 8 * d); };
    const double growth = std::fabs(right.value) / std::fabs(farther(1).value),
                 growth_left = std::fabs(left.value) / std::fabs(farther(-1).value);
    if (std::isinf(at.value) || growth > 4 || growth_left > 4) {
      kinks.push_back({x, "pole"});
    } else if (std::fabs(right.value - left.value) >
               1e-4 * (1 + std::fabs(left.value)) + 4 * d * (std::fabs(left.slope) + std::fabs(right.slope))) {
      kinks.push_back({x, "jump"});
    } else if (std::fabs(right.slope - left.slope) > 1e-4 * (1 + std::fabs(left.slope)) ||
               std::isnan(left.slope) != std::isnan(right.slope)) {
      kinks.push_back({x, "kink"});
    }
  }
  return kinks;
}

Properties properties_of(const Reference& function) {
  Properties p;
  p.kinks = find_kinks(function);
  const Samples s = sample(function, p.kinks);
  p.monotone = monotone(s);
  p.bounded_below = bounded(s, p.kinks, -1);
  p.bounded_above = bounded(s, p.kinks, 1);
  p.infimum = std::numeric_limits<double>::infinity(), p.supremum = -p.infimum;
  for (const double y : s.y) {
    if (std::isnan(y)) p.defined = false;
    if (y < p.infimum) p.infimum = y;
    if (y > p.supremum) p.supremum = y;
  }
  p.even = p.odd = true;
  for (double x = 0.01; x < 1e4; x *= 1.1) {
    const double a = function.value(x), b = function.value(-x), noise = 1e-12 * (std::fabs(a) + std::fabs(b));
    p.even = p.even && (a == b || std::fabs(a - b) <= noise);
    p.odd = p.odd && (a == -b || std::fabs(a + b) <= noise);
  }
  p.mean = gaussian_moments(function).mean;
  p.zero_mean = std::fabs(p.mean) < 1e-9;
  return p;
}

}  // namespace actforge
