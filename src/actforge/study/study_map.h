#pragma once

#include "actforge/report/plots/map_chart.h"
#include "actforge/study/study.h"

namespace actforge {

// A study's trials among random functions of its space, by outputs: small enough to be made while
// the user waits. Without trials it is empty.
FunctionMapPicture study_map(const OpenStudy& study);

}  // namespace actforge
