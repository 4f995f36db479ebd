#pragma once

#include <optional>
#include <string>
#include <vector>

#include "actforge/search/settings/study_settings.h"
#include "actforge/store/store.h"
#include "actforge/study/standings.h"

namespace actforge {

// All functions that a study has scores of, as its search evaluates: trials, and the baseline that was measured before.
struct Scoreboard {
  std::vector<Standing> rows = {};  // the best first, as in standings()
  // The standard deviation of one evaluation and its degrees of freedom: of repeats; where there are none, of the
  // baseline's runs. 0 where nothing is known of it.
  double noise = 0, degrees = 0;
  bool varies = true;  // else a score is exact
};
Scoreboard scoreboard(Store& store, const StudySettings& settings);

// The baseline and the well-known functions among the rows.
std::vector<Standing> known_standings(const Scoreboard& board);
// The best of the others; nothing where there are none.
std::optional<Standing> best_found(const Scoreboard& board);
// So many trials with the best rows.
std::vector<Standing> best_rows(const Scoreboard& board, std::size_t count);
// Rows for people, in their order: those of `best`, the best that was found, and all that are known.
std::vector<Standing> shown_standings(const Scoreboard& board, const std::vector<Standing>& best);

// Whether anything that was found is better than what everybody knows, by the first objective.
struct StudyVerdict {
  enum class Kind { kOpen, kBehind, kUnsure, kAhead };
  Kind kind = Kind::kOpen;  // kOpen: there is nothing to compare
  std::string text = {};    // a sentence or two; of kOpen empty
};
StudyVerdict study_verdict(const Scoreboard& board, const Objective& objective);

}  // namespace actforge
