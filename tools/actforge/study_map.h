#pragma once

#include "actforge/report/map_chart.h"
#include "actforge/search/study.h"

namespace actforge::tool {

// A study's trials among functions of its space that were drawn at random, by outputs: small enough to be made while
// somebody waits. Without trials there is nothing on it.
FunctionMapPicture study_map(const OpenStudy& study);

}  // namespace actforge::tool
