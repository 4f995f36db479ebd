#pragma once

#include <cstdint>
#include <string>

#include "actforge/store/trial.h"

namespace actforge {

// One evaluation of a function apart from the search, to compare it with others: re-ranking, final tests. Runs of one
// group had the same conditions.
struct StudyRun {
  std::string group = {};  // those conditions, in words of the caller
  std::string expression = {};
  std::string key = {};  // of the canonical form
  std::int64_t repeat = 0;
  std::uint64_t seed = 0;
  TrialOutcome outcome = {};
  std::string version = {};  // of the software
  double finished = 0;       // seconds since 1970; set by the store
};

}  // namespace actforge
