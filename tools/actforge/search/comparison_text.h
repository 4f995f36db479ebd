#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "actforge/study/comparison.h"

namespace actforge::tool {

// Comparisons, ready to be read.
struct ComparisonText {
  std::string format = "text";  // text, csv, json or latex
  bool median = false;          // in place of the mean
  std::size_t looks = 0;        // at the test images, this one included
  std::vector<std::string> notes = {};
  std::vector<Comparison> comparisons = {};  // one per objective; then those of a confirmation
  std::string confirmation = {};
};
std::string comparison_text(const ComparisonText& text);

}  // namespace actforge::tool
