#pragma once

#include <functional>
#include <string>
#include <vector>

#include "actforge/base/run_context.h"
#include "actforge/study/stage.h"

namespace actforge {

// Functions that are evaluated apart from the search.
struct StagePlan {
  Stage stage = {};
  std::vector<std::string> functions = {};
  std::int64_t repeats = 1;  // of each
  // A program and its arguments, to which --function and --repeat are added: it calls evaluate_job() for this stage and
  // prints outcome_json() as its last line.
  std::vector<std::string> command = {};
  std::size_t workers = 1;  // processes at once
  int attempts = 3;         // of an evaluation whose process breaks
  // Every result, once it is kept; by the calling thread.
  std::function<void(const StageJob& job, const TrialOutcome& outcome)> done = {};
};

// Evaluates what the store does not have yet, each in a process of its own, and keeps the results. Progress has the
// name of the stage. Throws Error: kCancelled, after which the same call goes on; or that of an evaluation that broke
// as often as is allowed.
void run_stage(Store& store, const StagePlan& run, const RunContext& context);

// Whether all of its results are in the store.
bool is_complete(Store& store, const StagePlan& run);

// Notes in the store that the test images are about to be looked at, unless the store has all results, or the run only
// goes on with one that was interrupted. Gives how many looks there were by then.
std::size_t note_test_look(Store& store, const StagePlan& run);
// The same of a look that somebody describes, all of whose results are there or not.
std::size_t note_test_look(Store& store, const std::string& text, bool is_complete);
// What test images are used for, in words.
std::string look_text(const StagePlan& run);

}  // namespace actforge
