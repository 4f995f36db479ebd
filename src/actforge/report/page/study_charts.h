#pragma once

#include <string>
#include <vector>

#include "actforge/report/page/study_page.h"

namespace actforge {

// The charts of a study, each an SVG document of its own; empty where there is nothing to draw. Of each width that
// fits: text keeps its size, so that a chart for a phone is not a chart for a desk made small.

inline constexpr double kWideChart = 1000;
inline constexpr double kLoneChart = 720;  // with nothing beside it, but too square for all of the width
inline constexpr double kHalfChart = 488;
inline constexpr double kNarrowChart = 360;

// Scores in the order in which trials finished, the best of them so far, their moving average, and the baseline.
std::string progress_chart(const StudyPage& page, double width = kWideChart);

// Score against time, with the distribution of both.
std::string cost_chart(const StudyPage& page, double width = kHalfChart);

// The first two objectives against each other, and the trials that are best in both.
std::string pareto_chart(const StudyPage& page, double width = kHalfChart);

// A function and its derivative, dashed.
std::string function_chart(const PageFunction& function);
// All of them in one picture, with their expressions below.
std::string functions_sheet(const std::vector<PageFunction>& functions);

// Value by epoch, one line per layer; and by layer, before and after training.
std::string parameter_by_epoch(const PageParameter& parameter, double width = kHalfChart);
std::string parameter_by_layer(const PageParameter& parameter, double width = kHalfChart);

}  // namespace actforge
