#include "actforge/base/association.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "actforge/base/error.h"

namespace actforge {
namespace {

std::vector<double> ranks(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
  std::vector<double> ranks(values.size());
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin + 1;
    while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
    for (std::size_t i = begin; i < end; ++i) ranks[order[i]] = static_cast<double>(begin + end - 1) / 2;
    begin = end;
  }
  return ranks;
}

double log_factorial(std::size_t n) { return std::lgamma(static_cast<double>(n) + 1); }

double log_choose(std::size_t n, std::size_t k) { return log_factorial(n) - log_factorial(k) - log_factorial(n - k); }

}  // namespace

double rank_correlation(std::span<const double> a, std::span<const double> b) {
  if (a.size() != b.size()) throw Error(ErrorCode::kBadInput, "rank_correlation: samples of different size");
  const auto finite = [](double value) { return std::isfinite(value); };
  if (!std::ranges::all_of(a, finite) || !std::ranges::all_of(b, finite)) {
    throw Error(ErrorCode::kBadInput, "rank_correlation: a value is infinite or not a number");
  }
  if (a.size() < 2) return std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> x = ranks(a), y = ranks(b);
  const double mean = static_cast<double>(a.size() - 1) / 2;  // of any ranks
  double xy = 0, xx = 0, yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xy += (x[i] - mean) * (y[i] - mean);
    xx += (x[i] - mean) * (x[i] - mean);
    yy += (y[i] - mean) * (y[i] - mean);
  }
  return xy / std::sqrt(xx * yy);  // 0/0 where a side does not vary
}

// With the totals fixed, the number k with both is hypergeometric: of N, n have the first and m the second property,
// and P(k) = C(n, k) C(N - n, m - k) / C(N, m).
double fisher_exact_greater(const Crosstab& counts) {
  const std::size_t n = counts.both + counts.first, m = counts.both + counts.second;
  const std::size_t all = n + counts.second + counts.neither;
  double p = 0;
  for (std::size_t k = counts.both; k <= std::min(n, m); ++k) {
    p += std::exp(log_choose(n, k) + log_choose(all - n, m - k) - log_choose(all, m));
  }
  return std::min(1.0, p);
}

}  // namespace actforge
