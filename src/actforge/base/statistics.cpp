#include "actforge/base/statistics.h"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numeric>

#include "actforge/base/error.h"
#include "actforge/base/number_text.h"

namespace actforge {
namespace {

namespace bmp = boost::math::policies;

// What has no finite answer answers inf or NaN; only this file throws.
using Quiet = bmp::policy<bmp::domain_error<bmp::ignore_error>, bmp::pole_error<bmp::ignore_error>,
                          bmp::overflow_error<bmp::ignore_error>, bmp::evaluation_error<bmp::ignore_error>>;
using StudentsT = boost::math::students_t_distribution<double, Quiet>;
using Normal = boost::math::normal_distribution<double, Quiet>;

void require_finite(const char* function, std::span<const double> values) {
  for (const double value : values) {
    if (!std::isfinite(value)) {
      throw Error(ErrorCode::kBadInput, std::string(function) + ": " + number_text(value) + " is not a finite number");
    }
  }
}

void require_level(const char* function, double level) {
  if (!(level > 0 && level < 1)) {
    throw Error(ErrorCode::kBadInput,
                std::string(function) + ": the level " + number_text(level) + " is not between 0 and 1");
  }
}

// The exponent e for which 2^-e brings all values into [-1, 1]. Everything below is computed on values divided by 2^e,
// which is exact, so that the square of 1e200 does not overflow and that of 1e-200 does not vanish.
int common_exponent(std::span<const double> a, std::span<const double> b = {}) {
  double largest = 0;
  for (const double value : a) largest = std::max(largest, std::abs(value));
  for (const double value : b) largest = std::max(largest, std::abs(value));
  int exponent = 0;
  std::frexp(largest, &exponent);
  return exponent;
}

struct Moments {
  double mean;
  double variance;  // divides by n - 1
  double count;
};

// Two passes, relative to the first value: a sample that does not vary has a variance of exactly 0, which a mean
// rounded on its own would miss (the mean of three times 0.1 is not 0.1).
Moments moments(std::span<const double> values, int exponent) {
  const auto count = static_cast<double>(values.size());
  const double origin = std::ldexp(values[0], -exponent);
  double sum = 0;
  for (const double value : values) sum += std::ldexp(value, -exponent) - origin;
  const double shift = sum / count;
  double squares = 0;
  for (const double value : values) {
    const double distance = std::ldexp(value, -exponent) - origin - shift;
    squares += distance * distance;
  }
  return {origin + shift, squares / (count - 1), count};
}

// Half the width of the interval that holds a t-distributed quantity of this standard error with probability `level`.
double half_width(double error, double degrees, double level) {
  if (error == 0) return 0;
  return error * boost::math::quantile(boost::math::complement(StudentsT(degrees), (1 - level) / 2));
}

double median(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const std::size_t middle = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[middle] : std::midpoint(sorted[middle - 1], sorted[middle]);
}

struct WelchTerms {
  double difference;
  double error;    // the standard error of the difference
  double degrees;  // NaN where the error is 0
};

// Welch (1947) and Satterthwaite: with v = variance / n on either side, the difference of the means has the standard
// error sqrt(v_a + v_b) and nu = (v_a + v_b)^2 / (v_a^2 / (n_a - 1) + v_b^2 / (n_b - 1)) degrees of freedom. In terms
// of the share s = v_a / (v_a + v_b), 1 / nu = s^2 / (n_a - 1) + (1 - s)^2 / (n_b - 1), where no square can underflow
// to 0 on both sides at once.
WelchTerms welch_terms(std::span<const double> a, std::span<const double> b, int exponent) {
  const Moments of_a = moments(a, exponent), of_b = moments(b, exponent);
  const double v_a = of_a.variance / of_a.count, v_b = of_b.variance / of_b.count;
  WelchTerms terms{of_a.mean - of_b.mean, std::sqrt(v_a + v_b), std::numeric_limits<double>::quiet_NaN()};
  if (terms.error > 0) {
    const double share_a = v_a / (v_a + v_b), share_b = v_b / (v_a + v_b);
    terms.degrees = 1 / (share_a * share_a / (of_a.count - 1) + share_b * share_b / (of_b.count - 1));
  }
  return terms;
}

// How the values of a and of b interleave.
struct Interleaving {
  double wins = 0;      // pairs in which a is larger, ties counted half
  double tie_term = 0;  // the sum of t^3 - t over the groups of t equal values
};

Interleaving interleave(std::span<const double> a, std::span<const double> b) {
  std::vector<double> sorted_a(a.begin(), a.end()), sorted_b(b.begin(), b.end());
  std::sort(sorted_a.begin(), sorted_a.end());
  std::sort(sorted_b.begin(), sorted_b.end());
  Interleaving result;
  auto at_a = sorted_a.begin();
  auto at_b = sorted_b.begin();
  while (at_a != sorted_a.end() || at_b != sorted_b.end()) {
    const bool is_from_a = at_b == sorted_b.end() || (at_a != sorted_a.end() && *at_a < *at_b);
    const double value = is_from_a ? *at_a : *at_b;
    const auto end_a = std::upper_bound(at_a, sorted_a.end(), value);
    const auto end_b = std::upper_bound(at_b, sorted_b.end(), value);
    const auto equal_a = static_cast<double>(end_a - at_a), equal_b = static_cast<double>(end_b - at_b);
    const double equal = equal_a + equal_b;
    result.wins += equal_a * (static_cast<double>(at_b - sorted_b.begin()) + equal_b / 2);
    result.tie_term += equal * (equal * equal - 1);
    at_a = end_a;
    at_b = end_b;
  }
  return result;
}

// The probability of at most k wins, where all orders of m + n different values are equally likely.
//
// Let f(u; m, n) be the number of those orders (of which values are a's) with u wins. The largest value of all is
// either a's, and wins against all n of b, or it is b's and wins nothing for a:
//   f(u; m, n) = f(u - n; m - 1, n) + f(u; m, n - 1),   f(u; m, 0) = f(u; 0, n) = [u = 0].
// The table is updated in place, one value of b at a time. Only sums of positive numbers occur, so doubles keep every
// tail to about (m + n) roundings; they are exact while the number of orders is below 2^53. Costs at most m k min(n, k)
// additions. m and n may be exchanged; the table has m + 1 rows, so let m be the smaller.
double wins_at_most(std::size_t k, std::size_t m, std::size_t n) {
  std::vector<std::vector<double>> orders(m + 1, std::vector<double>(k + 1, 0.0));
  for (auto& row : orders) row[0] = 1;
  for (std::size_t b = 1; b <= std::min(n, k); ++b) {
    for (std::size_t a = 1; a <= m; ++a) {
      for (std::size_t u = b; u <= std::min(k, a * b); ++u) orders[a][u] += orders[a - 1][u - b];
    }
  }
  // The binomial coefficient of m + n over m; every step is a whole number.
  double all = 1;
  for (std::size_t i = 1; i <= m; ++i) all = all * static_cast<double>(n + i) / static_cast<double>(i);
  return std::accumulate(orders[m].begin(), orders[m].end(), 0.0) / all;
}

// The probability of at least this many wins. By symmetry that of at most (pairs - wins); summed over the shorter tail.
double exact_tail(std::size_t wins, std::size_t size_a, std::size_t size_b) {
  const std::size_t pairs = size_a * size_b;
  const auto [m, n] = std::minmax(size_a, size_b);
  if (wins == 0) return 1;
  if (pairs - wins <= wins) return wins_at_most(pairs - wins, m, n);
  return 1 - wins_at_most(wins - 1, m, n);
}

// Given the multiset of values, wins have the mean m n / 2 and, with N = m + n and groups of t equal values, the
// variance
//   m n / 12 (N + 1 - sum (t^3 - t) / (N (N - 1))).
// At least u wins means above u - 1/2 on the continuous scale. Where all are equal the variance is 0, the wins are
// always m n / 2, and at least that many is certain.
double normal_tail(const Interleaving& order, double m, double n) {
  const double all = m + n;
  const double variance = m * n / 12 * (all + 1 - order.tie_term / (all * (all - 1)));
  if (!(variance > 0)) return 1;
  return boost::math::cdf(boost::math::complement(Normal(), (order.wins - m * n / 2 - 0.5) / std::sqrt(variance)));
}

std::string count_text(std::span<const double> a, std::span<const double> b, const char* needed) {
  return std::to_string(a.size()) + " and " + std::to_string(b.size()) + " values; the test needs " + needed + " each";
}

}  // namespace

Interval student_interval(double mean, double error, double degrees, double level) {
  require_level("student_interval", level);
  if (!(degrees > 0)) return {};
  const double half = half_width(error, degrees, level);
  return {.low = mean - half, .high = mean + half};
}

SampleSummary summarise_sample(std::span<const double> values, double level) {
  require_finite("summarise_sample", values);
  require_level("summarise_sample", level);
  SampleSummary summary{.count = values.size()};
  if (values.empty()) return summary;
  const int exponent = common_exponent(values);
  const auto [mean, variance, count] = moments(values, exponent);
  summary.mean = std::ldexp(mean, exponent);
  summary.median = median(values);
  if (values.size() < 2) return summary;
  const double half = half_width(std::sqrt(variance / count), count - 1, level);
  summary.deviation = std::ldexp(std::sqrt(variance), exponent);
  summary.low = std::ldexp(mean - half, exponent);
  summary.high = std::ldexp(mean + half, exponent);
  return summary;
}

TestResult welch_greater(std::span<const double> a, std::span<const double> b) {
  require_finite("welch_greater", a);
  require_finite("welch_greater", b);
  if (a.size() < 2 || b.size() < 2) return {.how = count_text(a, b, "two")};
  const WelchTerms terms = welch_terms(a, b, common_exponent(a, b));
  if (terms.error == 0) {
    // Equal means have t = 0 and p = 0.5 whatever their variances; so they do in the limit. It keeps p(a > b) +
    // p(b > a) = 1 here too.
    if (terms.difference == 0) return {.statistic = 0, .p = 0.5, .how = "no spread"};
    const double infinity = std::numeric_limits<double>::infinity();
    const bool is_greater = terms.difference > 0;
    return {.statistic = is_greater ? infinity : -infinity, .p = is_greater ? 0.0 : 1.0, .how = "no spread"};
  }
  const double t = terms.difference / terms.error;
  // The lower tail of -t rather than 1 - the lower tail of t, which has no digits left below 1e-16.
  return {
      .statistic = t, .p = boost::math::cdf(StudentsT(terms.degrees), -t), .degrees = terms.degrees, .how = "welch"};
}

TestResult mann_whitney_greater(std::span<const double> a, std::span<const double> b) {
  require_finite("mann_whitney_greater", a);
  require_finite("mann_whitney_greater", b);
  if (a.empty() || b.empty()) return {.how = count_text(a, b, "one")};
  const Interleaving order = interleave(a, b);
  // SciPy's bound: from nine values on either side, the approximation is good.
  constexpr std::size_t kLargestExact = 8;
  if (order.tie_term == 0 && std::min(a.size(), b.size()) <= kLargestExact) {
    const auto wins = static_cast<std::size_t>(order.wins);
    return {.statistic = order.wins, .p = exact_tail(wins, a.size(), b.size()), .how = "exact"};
  }
  const double p = normal_tail(order, static_cast<double>(a.size()), static_cast<double>(b.size()));
  return {.statistic = order.wins, .p = p, .how = "normal"};
}

// Holm (1979): with p_(1) <= ... <= p_(m), the adjusted p_(i) is the largest of (m - j + 1) p_(j), j <= i, at most 1.
std::vector<double> holm(std::span<const double> p) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (std::isnan(p[i])) continue;
    if (!(p[i] >= 0 && p[i] <= 1)) {
      throw Error(ErrorCode::kBadInput, "holm: " + number_text(p[i]) + " is not a probability");
    }
    order.push_back(i);
  }
  std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return p[i] < p[j]; });
  std::vector<double> adjusted(p.begin(), p.end());
  double largest = 0;
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    largest = std::max(largest, static_cast<double>(order.size() - rank) * p[order[rank]]);
    adjusted[order[rank]] = std::min(1.0, largest);
  }
  return adjusted;
}

Interval difference_interval(std::span<const double> a, std::span<const double> b, double level) {
  require_finite("difference_interval", a);
  require_finite("difference_interval", b);
  require_level("difference_interval", level);
  if (a.size() < 2 || b.size() < 2) return {};
  const int exponent = common_exponent(a, b);
  const WelchTerms terms = welch_terms(a, b, exponent);
  const double half = half_width(terms.error, terms.degrees, level);
  return {std::ldexp(terms.difference - half, exponent), std::ldexp(terms.difference + half, exponent)};
}

}  // namespace actforge
