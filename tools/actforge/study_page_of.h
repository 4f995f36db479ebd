#pragma once

#include "actforge/report/study_page.h"
#include "actforge/search/study.h"

namespace actforge::tool {

// What there is to tell of a study, read from its store. The map of its functions takes about a second, which a page
// that is made again and again should not.
StudyPage study_page_of(const OpenStudy& study, const std::string& place, bool with_map = true);

}  // namespace actforge::tool
