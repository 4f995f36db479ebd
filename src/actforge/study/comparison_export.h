#pragma once

#include <string>

#include "actforge/study/stage_question.h"

namespace actforge {

// Comparisons for other programs. With `median`, tables show it in place of the mean.
std::string comparison_json(const StageAnswer& answer);
std::string comparison_csv(const StageAnswer& answer);
std::string comparison_latex(const StageAnswer& answer, bool median);

}  // namespace actforge
