#pragma once

#include <string>

#include "actforge/contest/contest_summary.h"

namespace actforge {

// The curves of all strategies with their intervals as bands, and the best known function as a line. SVG.
std::string contest_chart(const ContestSummary& summary, double width = 900);

// The chart, the table and the tests as one page (HTML).
std::string contest_page(const ContestSummary& summary, const ContestOptions& options);

// The table as rows of texts, the titles first.
std::vector<std::vector<std::string>> contest_table(const ContestSummary& summary);
// "aquasurf is better than random (p = 0.001)": only what can be claimed, one sentence each.
std::vector<std::string> contest_claims(const ContestSummary& summary);

}  // namespace actforge
