#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace actforge {

// queued: its worker was lost, or somebody has put it in front (Store::enqueue); the next worker gets it. failed:
// evaluated, without a valid score (undefined loss, below the threshold). stopped: ended early by successive halving,
// with the score it had. quarantined: lost its worker, or its evaluator broke, as often as is allowed.
enum class TrialStatus : std::uint8_t { kQueued, kRunning, kCompleted, kStopped, kFailed, kQuarantined };
std::string_view trial_status_name(TrialStatus status);
// Throws Error (kStorage) for another name: only a database has them as text.
TrialStatus trial_status(std::string_view name);
// Whether nothing will happen to it any more.
inline bool is_over(TrialStatus status) { return status > TrialStatus::kRunning; }

// What is searched together with a function, by name: a learning rate, for example. As texts, which is how commands and
// training options take them. There are none but in a joint search.
using Hyperparameters = std::map<std::string, std::string, std::less<>>;
// "learning-rate=0.01,weight-decay=1e-05"
std::string hyperparameters_text(const Hyperparameters& values);
// {"learning-rate":0.01,"optimizer":"sgd"}: numbers are numbers.
std::string hyperparameters_json(const Hyperparameters& values);

// What is to be evaluated, and where it came from.
struct TrialPlan {
  std::string expression = {};
  Hyperparameters hyperparameters = {};
  std::string key = {};                    // joint_key() of the canonical form; no two trials of a study share one
  std::string fingerprint = {};            // of the values; the same holds, where it is not empty
  std::vector<std::int64_t> parents = {};  // numbers of trials
  std::string origin = {};                 // "initial", "change", "cross", ...
  std::vector<std::string> story = {};     // the mutation in words
  std::int64_t generation = 0;
  std::uint64_t seed = 0;    // of its evaluation
  std::int64_t refused = 0;  // functions that were drawn before this one, but not tried (space/requirements.h)
  // Of a repeat: the earlier trial whose function is evaluated once more, with another seed. Its key is that trial's
  // repeat_key(), and it has no fingerprint.
  std::int64_t repeat_of = -1;

  bool is_repeat() const { return repeat_of >= 0; }
};

// The same function with other hyperparameters is another trial: keys and fingerprints of functions, and what they
// become with hyperparameters. Without any, or where there is no key, nothing is added.
std::string joint_key(const std::string& key, const Hyperparameters& values);
std::string function_part(const std::string& key);

// The key of the function's n-th repeat, n from 1: of two workers that want it, one gets it.
std::string repeat_key(const std::string& key, std::size_t n);

// What came of it.
struct TrialOutcome {
  TrialStatus status = TrialStatus::kCompleted;
  std::vector<double> scores = {};  // one per objective, more is better; the first decides a list's order
  std::string reason = {};          // why it failed; of one that did not, a note
  std::string metrics = {};         // a JSON object
  double seconds = 0;
};

struct Trial {
  std::int64_t number = 0;  // from 0, in the order they were asked for
  TrialPlan plan = {};
  TrialOutcome outcome = {};       // its status is the trial's
  std::int64_t attempt = 0;        // from 1, once a worker has it
  std::string worker = {};         // the last that had it
  std::string version = {};        // of the software that evaluated it
  std::int64_t finish_order = -1;  // from 0 among those that are over; -1 before
  double asked = 0, finished = 0;  // seconds since 1970

  TrialStatus status() const { return outcome.status; }
};

// One point of a trial's learning curve.
struct CurvePoint {
  std::int64_t epoch = 0;
  double score = 0;          // of the first objective
  std::string metrics = {};  // a JSON object
};

}  // namespace actforge
