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

// Its parts. Accuracy is in percent; what is not a number is empty.
std::string comparison_title(const Comparison& comparison);
std::string comparison_caption(const Comparison& comparison, bool median);
std::string compared_value_text(const Comparison& comparison, double value);
std::string compared_interval_text(const Comparison& comparison, double low, double high, bool sign);
std::string p_value_text(double p);

}  // namespace actforge
