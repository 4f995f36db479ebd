#pragma once

#include "actforge/report/page/study_page.h"
#include "actforge/study/study.h"

namespace actforge {

// What was evaluated apart from the search, for the page about a study that has its trials already: a table for each
// stage and conditions, the score of the baseline, and how parameters moved.
void add_comparisons(StudyPage& page, const OpenStudy& study);

}  // namespace actforge
