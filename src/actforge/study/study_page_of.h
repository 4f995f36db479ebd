#pragma once

#include "actforge/report/page/study_page.h"
#include "actforge/study/study.h"

namespace actforge {

// What a page shows of a study, read from its store. The map of its functions takes about a second, which a page
// that is rebuilt again and again cannot afford.
StudyPage study_page_of(const OpenStudy& study, const std::string& location, bool with_map = true);

}  // namespace actforge
