#pragma once

#include "actforge/report/page/html_page.h"
#include "actforge/report/page/study_page.h"

namespace actforge {

// The best functions: drawn, named, and ready to be copied in every language they were exported to.
void add_functions(HtmlPage& html, const StudyPage& page);

}  // namespace actforge
