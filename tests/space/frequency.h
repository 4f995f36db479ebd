#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

namespace actforge {

// How often each outcome came, against the probabilities it should have: each within five standard deviations, and
// nothing that has probability 0. Seeds are fixed, so this never fails by chance.
inline void expect_frequencies(const std::map<std::string, int>& seen, const std::map<std::string, double>& wanted) {
  int total = 0;
  for (const auto& [outcome, count] : seen) {
    total += count;
    EXPECT_TRUE(wanted.contains(outcome)) << "should never come: " << outcome;
  }
  double sum = 0;
  for (const auto& [outcome, p] : wanted) {
    sum += p;
    const auto found = seen.find(outcome);
    const int count = found == seen.end() ? 0 : found->second;
    const double mean = total * p, deviation = std::sqrt(total * p * (1 - p));
    EXPECT_GT(mean, 10) << "too few draws to say anything of " << outcome;
    EXPECT_LT(std::fabs(count - mean), 5 * deviation + 1) << outcome << ": " << count << " of " << total;
  }
  EXPECT_NEAR(sum, 1, 1e-9);
}

}  // namespace actforge
