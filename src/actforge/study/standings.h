#pragma once

#include <string>
#include <vector>

#include "actforge/base/statistics.h"
#include "actforge/search/settings/study_settings.h"
#include "actforge/store/store.h"

namespace actforge {

// A function of a study, with all its evaluations: its trial's and those of the trials that repeat it.
struct Standing {
  Trial trial = {};        // the first; its scores are the means of all evaluations, failures included
  std::size_t runs = 1;    // evaluations that are over
  std::size_t failed = 0;  // among them
  // 95%, of the first score's mean, by the noise of all functions that were repeated; NaN where none was, and where an
  // evaluation of this one failed.
  Interval interval = {};
  // Of a scoreboard: the name of a well-known function, or of the baseline; empty: it was found.
  std::string known_as = {};
  bool is_baseline = false;  // its trial may have the number -1: there is none
};

// The functions of a study that have a result, best first by ScoreEstimates::rank() of the first objective; at most
// `count`. Without repeats that is the order of the scores.
std::vector<Standing> standings(Store& store, const StudySettings& settings, std::size_t count);
// Those that no other is better than in every objective, in the same order: with one objective the first.
std::vector<Standing> best_standings(Store& store, const StudySettings& settings);

}  // namespace actforge
