#pragma once

#include <optional>
#include <string>
#include <vector>

#include "actforge/study/rate_sweep.h"
#include "actforge/study/stage_question.h"

namespace actforge {

// What somebody wants to know of a study's functions once it has searched.
struct AfterSearch {
  std::size_t count = 3;                    // of the study's functions, the best first
  std::vector<std::string> functions = {};  // others, in call form
  std::vector<std::string> baselines = {};  // to compare with, in call form; none: the usual ones
  std::int64_t repeats = 1;                 // of each function
  std::string against = {};                 // StageQuestion::against
};

// Which functions rank highest where they are trained in full, on validation images. Baselines take part only if they
// are asked for. Throws Error (kBadInput) where no function of the study has a score.
StageQuestion rerank_question(const OpenStudy& study, const AfterSearch& wanted);

// Whether the best functions are better than what everybody knows, on test images.
struct FinalTest : AfterSearch {
  // First gives every function its own learning rate: `rates`, or where there are none usual_rates(), which are
  // widened.
  bool sweep = false;
  std::vector<double> rates = {};
  std::int64_t sweep_runs = 1;
  // Then once more at another scale: with a network on that one.
  bool confirm = false;
  std::string confirm_net = {};
};
// Throws Error: kBadInput where no function of the study has a score and none is named, kUsage where a network or data
// set is not known.
StageQuestion final_question(const OpenStudy& study, const FinalTest& wanted);

// How the best functions do on another network or data set. Throws Error (kUsage) as final_question().
StageQuestion transfer_question(const OpenStudy& study, const AfterSearch& wanted, const TransferTask& task);

}  // namespace actforge
