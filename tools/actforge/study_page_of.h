#pragma once

#include "actforge/report/study_page.h"
#include "actforge/search/study.h"

namespace actforge::tool {

// What there is to tell of a study, read from its store.
StudyPage study_page_of(const OpenStudy& study, const std::string& place);

}  // namespace actforge::tool
