#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace actforge {

// What to say about repeated measurements, and whether one set of them is better than another. All of these throw
// Error (kBadInput) on a value that is infinite or not a number, and on a level outside (0, 1). Samples too small for
// an answer are no error: the answer is NaN. Values near either end of the range of double neither overflow nor vanish.

struct Interval {
  double low = std::numeric_limits<double>::quiet_NaN();
  double high = std::numeric_limits<double>::quiet_NaN();
};

struct SampleSummary {
  std::size_t count = 0;
  double mean = std::numeric_limits<double>::quiet_NaN();       // NaN for none
  double deviation = std::numeric_limits<double>::quiet_NaN();  // divides by count - 1; NaN for fewer than two
  double median = std::numeric_limits<double>::quiet_NaN();     // NaN for none
  double low = std::numeric_limits<double>::quiet_NaN();  // Student's interval of the mean; NaN for fewer than two
  double high = std::numeric_limits<double>::quiet_NaN();
};

SampleSummary summarise_sample(std::span<const double> values, double level = 0.95);

// Student's interval of a mean whose standard error was estimated with so many degrees of freedom; NaN without any.
Interval student_interval(double mean, double error, double degrees, double level = 0.95);

struct TestResult {
  double statistic = std::numeric_limits<double>::quiet_NaN();
  double p = std::numeric_limits<double>::quiet_NaN();
  double degrees = std::numeric_limits<double>::quiet_NaN();  // of freedom, in a t-test
  std::string how;                                            // the method; where p is NaN, why
};

// Welch's t-test of "the mean of a exceeds that of b", for unequal variances; how is "welch". Where neither sample
// varies, how is "no spread" and p the limit of vanishing variances: 0 where a is larger, 1 where b is, 0.5 where they
// are equal; `degrees` is NaN. Fewer than two values on either side: p is NaN.
TestResult welch_greater(std::span<const double> a, std::span<const double> b);

// Mann and Whitney's test of "a value of a tends to exceed one of b". The statistic is the number of pairs in which it
// does, ties counted half. `how` is "exact" without ties where the smaller sample has at most eight values, else
// "normal": with the corrections for ties and for continuity. These are the rules of SciPy's mannwhitneyu. Where all
// values are equal, p is 1; where a side is empty, NaN.
TestResult mann_whitney_greater(std::span<const double> a, std::span<const double> b);

// Holm's adjusted p-values, in the order given: those at most alpha may be claimed together, with a probability of at
// most alpha that any of the claims is false. NaN marks a test that was not made: it stays, and does not count.
// Throws Error (kBadInput) on anything else outside [0, 1].
std::vector<double> holm(std::span<const double> p);

// Welch's interval of (the mean of a) - (the mean of b); NaN for fewer than two values on either side.
Interval difference_interval(std::span<const double> a, std::span<const double> b, double level = 0.95);

}  // namespace actforge
