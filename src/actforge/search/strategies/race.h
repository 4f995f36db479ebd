#pragma once

#include <cstdint>
#include <optional>

#include "actforge/search/strategies/trial_log.h"

namespace actforge {

struct RaceOptions {
  double share = 0;          // of all evaluations that are repeats; 0: none
  std::uint64_t most = 10;   // evaluations of one function
  std::uint64_t budget = 0;  // evaluations in all; 0: no limit
  std::size_t objectives = 1;
};

// Which function is worth another evaluation, now that the study has this log: the number of its trial; nothing where a
// new function is worth more. Follows from the log alone, so that a study that was stopped goes on as it would have.
//
// Repeats go where they tell the best function from the next: of the leader and its closest challenger, the one that is
// known less well is evaluated again. The leader has the largest mean m_l. The challenger is the function that is most
// likely to be better in truth, which for normal noise with standard errors e is the one with the largest
//   (m_c - m_l) / √(e_c² + e_l²).
// Of several objectives the first decides. Where three repeats have given the very same scores, there is no noise, and
// no more are made.
//
// Some repeats are made while the search goes on, so that strategies learn from them, and most at its end, so that the
// answer is sure: 2 and 3 of 5. Without a limit there is no end, and all are made on the way.
//
// A single lucky score thus becomes the leader, is repeated at once, and falls back; a function that fails in a repeat
// counts as the worst there for that run, and falls as well. This is the top-two rule of best-arm identification (Russo
// 2020), whose share of measurements that go to the leader is near its best value when both get about half.
std::optional<std::int64_t> choose_repeat(const TrialLog& log, const RaceOptions& options);

}  // namespace actforge
