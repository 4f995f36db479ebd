#pragma once

#include "actforge/search/settings/study_evaluator.h"

namespace actforge {

// The evaluator `train`, for the table of factories that make_evaluator() is given.
std::unique_ptr<Evaluator> make_train_evaluator(const StudySettings& settings);

}  // namespace actforge
