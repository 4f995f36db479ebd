#pragma once

#include "actforge/search/settings/study_settings.h"
#include "actforge/space/space.h"

namespace actforge {

// The space of a study, with what the study requires of functions. Throws Error where it cannot be made.
Space study_space(const StudySettings& settings);

// Decides what was left open: what the space itself requires; where it does not say, that functions are not constant,
// but nothing with the preset `paper`. Throws Error (kUsage).
void complete_requirements(StudySettings& settings);

}  // namespace actforge
