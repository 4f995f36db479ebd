#!/usr/bin/env python3
"""Prints tests/base/statistics_cases.h: pairs of samples and what SciPy says about them.

  scripts/make_statistics_cases.py > tests/base/statistics_cases.h

Needs SciPy (the stored numbers are those of 1.17.1); takes seconds. The samples come from fixed seeds.
"""
import textwrap
import warnings
import numpy as np
from scipy import stats

LEVELS = [0.95, 0.95, 0.9, 0.99, 0.5]


def pairs():
    """Yields (name, a, b)."""
    seed = iter(range(1000))

    def normal(n, mean=0.0, deviation=1.0, digits=6):
        """Few digits keep the file short; the tests need no more."""
        values = np.random.default_rng(next(seed)).normal(mean, deviation, n)
        return np.array([float(f"{v:.{digits}g}") for v in values])

    def whole(n, low, high):
        return np.random.default_rng(next(seed)).integers(low, high, n).astype(float)

    def accuracy(n, mean, deviation, images=10000):
        return np.round(normal(n, mean, deviation) * images) / images

    # Every size that matters for the choice of the method, without ties.
    for n, m in [(2, 2), (2, 3), (3, 2), (3, 3), (2, 50), (50, 2), (4, 7), (5, 5), (7, 11), (8, 8), (8, 9), (9, 8),
                 (9, 9), (8, 50), (10, 10), (12, 40), (50, 50)]:
        yield f"normal {n} {m}", normal(n, 0.3), normal(m)
    yield "normal, b larger", normal(9), normal(12, 1.5)
    yield "normal, b larger, exact", normal(6), normal(7, 1.5)
    yield "normal, unequal deviations", normal(20, 0.4, 10), normal(6, 0, 0.1)
    yield "normal, unequal deviations, small a", normal(5, 0.1, 0.01), normal(30, 0, 3)
    yield "heavy tails", normal(15) ** 3, normal(17) ** 3

    # Ties: within a sample, between samples, nearly everywhere.
    for n, m in [(2, 2), (3, 5), (6, 6), (10, 9), (25, 30)]:
        yield f"ties {n} {m}", np.append(whole(n - 1, 0, 4), 1.0), np.append(whole(m - 1, 0, 4), 2.0)
    yield "coins", whole(20, 0, 2), whole(15, 0, 2)
    yield "one tie", np.array([1.0, 2, 3, 4]), np.array([4.0, 0.5, 0.25])
    yield "all but one equal", np.array([3.0, 3, 3, 4]), np.array([3.0, 3, 3])

    # Equal samples; one that does not vary; zeros of both signs.
    same = normal(7)
    yield "the same sample", same, same
    yield "the same sample, shuffled", same, same[::-1]
    yield "constant a", np.full(4, 0.75), normal(5)
    yield "constant b", normal(6), np.full(3, 0.1)
    yield "zeros", np.array([0.0, -0.0, 1.0]), np.array([-0.0, 0.0, -1.0])

    # Accuracies of networks.
    yield "accuracy, alike", accuracy(10, 0.921, 0.002), accuracy(10, 0.920, 0.002)
    yield "accuracy, better", accuracy(5, 0.935, 0.002), accuracy(5, 0.921, 0.003)
    yield "accuracy, one failed", np.append(accuracy(9, 0.93, 0.002), 0.1), accuracy(10, 0.92, 0.002)
    yield "accuracy, small set", accuracy(8, 0.82, 0.02, 100), accuracy(8, 0.80, 0.02, 100)
    yield "accuracy, 50 seeds", accuracy(50, 0.7215, 0.004), accuracy(50, 0.7190, 0.003)

    # Far out in either tail.
    yield "p about 1e-12", normal(12, 1.5, 0.1), normal(12, 1, 0.1)
    yield "p tiny", normal(40, 10), normal(45)
    yield "p nearly 1", normal(15, -3), normal(15)
    yield "exact, separated", normal(8, 100), normal(45)
    yield "exact, separated, other way", normal(45), normal(8, 100)

    # Scales. SciPy squares the variances, so that beyond 1e77 it counts the degrees of freedom as 1.
    yield "tiny values", normal(6, 1.2) * 1e-70, normal(9, 0.5) * 1e-70
    yield "huge values", normal(10, 0.3) * 1e70, normal(10) * 1e70
    yield "far from 0", normal(12, 1e5, 1, 9), normal(10, 1e5, 1, 9)


def wins(a, b):
    """U, p and the method that 'auto' chooses by SciPy's manual."""
    def run(method):
        return stats.mannwhitneyu(a, b, alternative="greater", use_continuity=True, method=method)
    has_ties = len(set(a) | set(b)) < len(a) + len(b)
    is_exact = not has_ties and min(len(a), len(b)) <= 8
    assert run("auto") == run("exact" if is_exact else "asymptotic")
    return run("auto").statistic, run("auto").pvalue, "exact" if is_exact else "normal"


def number(value):
    """The shortest text that reads back to the same double."""
    return repr(float(value)).removesuffix(".0")


def numbers(values):
    return f"{{{', '.join(map(number, values))}}}"


def case(name, a, b, level):
    welch = stats.ttest_ind(a, b, equal_var=False, alternative="greater")
    difference = stats.ttest_ind(a, b, equal_var=False).confidence_interval(level)
    u, u_p, how = wins(a, b)
    summary = [np.mean(a), np.std(a, ddof=1), np.median(a)]
    if np.ptp(a) == 0:  # SciPy has no interval of width 0
        summary = [a[0], 0, a[0], a[0], a[0]]
    else:
        summary += stats.t.interval(level, len(a) - 1, loc=np.mean(a), scale=stats.sem(a))
    fields = [f'"{name}"', numbers(a), numbers(b), number(level)]
    fields += map(number, summary)
    fields += map(number, [welch.statistic, welch.df, welch.pvalue, *difference, u, u_p])
    return f"{{{', '.join(fields)}, \"{how}\"}},"


HEAD = """\
// Generated: scripts/make_statistics_cases.py > tests/base/statistics_cases.h
// clang-format off
#pragma once

#include <vector>

namespace actforge {

// Two samples, and what SciPy says about them.
struct StatisticsCase {
  const char* name;
  std::vector<double> a, b;
  double level;                                 // of the intervals
  double mean, deviation, median, low, high;    // of a
  double t, degrees, welch_p;                   // a greater than b
  double difference_low, difference_high;
  double wins, mann_whitney_p;
  const char* how;
};

inline const std::vector<StatisticsCase>& statistics_cases() {
  static const std::vector<StatisticsCase> cases = {"""

if __name__ == "__main__":
    warnings.simplefilter("ignore")  # SciPy's, about samples that do not vary
    print(HEAD)
    for index, (name, a, b) in enumerate(pairs()):
        print(textwrap.fill(case(name, a, b, LEVELS[index % len(LEVELS)]), 120, initial_indent="    ",
                            subsequent_indent="     ", break_long_words=False, break_on_hyphens=False))
    print("  };\n  return cases;\n}\n\n}  // namespace actforge")
