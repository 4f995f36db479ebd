#pragma once

#include "actforge/study/study_plan.h"
#include "tools/actforge/search/options.h"

namespace actforge::tool {

// Begins or continues a study and runs it to its end, showing how it goes. Throws Error, kCancelled too.
void run_search(const StudyPlan& plan, bool retry);

// A study by its flags. `defaults` come before these.
StudyPlan plan_by_flags(const std::string& file, const std::string& location, const StudyFlags& flags,
                        const std::function<void(StudySettings& settings)>& defaults = {});

}  // namespace actforge::tool
