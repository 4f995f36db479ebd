#pragma once

#include "actforge/search/evaluators/evaluator.h"

namespace actforge {

// What several evaluators have in common.
struct TimeoutOptions {
  double timeout = 0;
};
inline constexpr OptionField<TimeoutOptions> kTimeoutFields[] = {
    {"timeout", "seconds that a trial may take; 0: no limit", &TimeoutOptions::timeout, 0, 1e7},
};

}  // namespace actforge
