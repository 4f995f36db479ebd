#pragma once

#include <string_view>

namespace actforge {

// report/assets/study.js, the script of a study's page: the table of trials, copying, and reloading the page while the
// study runs. It builds elements from text and never from HTML.
std::string_view study_script();

}  // namespace actforge
