#pragma once

#include <string>
#include <vector>

#include "actforge/study/comparison.h"

namespace actforge {

// Functions that a study's are compared with, as expressions in call form, in the study's normal form. `wanted` are
// those that somebody asked for.

// Without any, the study's own baseline, else ReLU.
std::vector<std::string> baselines_of(const StudySettings& settings, const std::vector<std::string>& wanted);
// Without any, the study's own baseline and all common functions.
std::vector<std::string> rivals_of(const StudySettings& settings, const std::vector<std::string>& wanted);

// `chosen`, then functions and baselines that are not among them yet.
std::vector<ComparedFunction> with_others(std::vector<ComparedFunction> chosen,
                                          const std::vector<std::string>& functions,
                                          const std::vector<std::string>& baselines);

}  // namespace actforge
