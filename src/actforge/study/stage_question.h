#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "actforge/study/comparison.h"
#include "actforge/study/rate_sweep.h"
#include "actforge/study/stage_run.h"
#include "actforge/study/study.h"

namespace actforge {

// Which functions are to be compared, and under what conditions: re-ranking, a final test, a transfer.
struct StageQuestion {
  Stage stage = {};
  std::vector<ComparedFunction> functions = {};
  std::int64_t repeats = 1;  // of each function
  std::string against = {};  // the function that the tests compare with; empty: the best baseline
  std::optional<RateSweep> sweep = {};
  bool widen_rates = true;              // up to three times, while the best rate of some function is at the edge
  std::optional<Stage> confirm = {};    // the same functions once more, at another scale, with the same rates
  std::vector<std::string> notes = {};  // on how the functions were chosen: they begin StageAnswer::notes
  // The program that evaluates a function in a stage (StagePlan::command).
  std::function<std::vector<std::string>(const Stage& stage)> command = {};
};

struct StageAnswer {
  std::vector<Comparison> comparisons = {};  // one per objective but costs; then those of the confirmation
  std::size_t looks = 0;                     // at the test images, this one included
  std::string confirmation = {};             // whether the order holds, in words
  std::vector<std::string> notes = {};
};

// What is told while it runs, by the calling thread.
struct StageWatch {
  std::function<void(const Stage& stage)> begins = [](const Stage&) {};
  std::function<void(const StageJob& job, const TrialOutcome& outcome)> done = [](const StageJob&,
                                                                                  const TrialOutcome&) {};
};

// Evaluates what the store does not have yet, and compares. Throws Error: kUsage, before anything is evaluated, where
// `against` is not among the functions; otherwise as run_stage().
StageAnswer answer_stage(const OpenStudy& study, const StageQuestion& question, const StageWatch& watch,
                         const RunContext& context);

}  // namespace actforge
