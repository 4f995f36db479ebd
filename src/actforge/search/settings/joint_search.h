#pragma once

#include "actforge/search/settings/study_settings.h"
#include "actforge/search/strategies/hyperparameter_space.h"

namespace actforge {

// The hyperparameters that a study searches together with the function; empty in most studies.
HyperparameterSpace study_hyperparameters(const StudySettings& settings);

// Brings them into the form that is stored, and checks that the evaluator takes them. Throws Error (kUsage).
void complete_hyperparameters(StudySettings& settings);

}  // namespace actforge
