#pragma once

#include <string>

#include "actforge/report/page/study_page.h"

namespace actforge {

// All trials, as compact JSON for the page's script: columns, words that occur again and again, and rows that refer to
// them by number. Harmless inside of a <script> element.
std::string trials_json(const StudyPage& page);

// The place in the page where the script shows them.
std::string trial_table_html();

}  // namespace actforge
