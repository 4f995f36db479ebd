#pragma once

#include <string>
#include <vector>

#include "actforge/study/comparison.h"

namespace actforge {

// A comparison as a table for people: titles ('#' for columns of numbers), rows, and the sentences below it.
struct ComparisonTable {
  std::string title = {};
  std::vector<std::string> columns = {};
  std::vector<std::vector<std::string>> rows = {};
  std::string caption = {};
};
ComparisonTable comparison_table(const Comparison& comparison, bool median);

// The answer in one sentence: whether the best of the study's functions is better than the best baseline, and how sure
// that is. Empty where there is nothing to compare.
std::string comparison_verdict(const Comparison& comparison);

// Whether a second comparison of the same functions, at another scale, has them in the same order.
std::string confirmation_text(const Comparison& first, const Comparison& second);

// Its parts. An accuracy from 0 to 1 is in percent; what is not a number is empty.
std::string comparison_title(const Comparison& comparison);
std::string comparison_caption(const Comparison& comparison, bool median);
std::string compared_value_text(const Comparison& comparison, double value);
std::string compared_interval_text(const Comparison& comparison, double low, double high, bool sign);
std::string p_value_text(double p);

}  // namespace actforge
