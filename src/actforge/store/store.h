#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "actforge/store/study_features.h"
#include "actforge/store/study_run.h"
#include "actforge/store/trial.h"

namespace actforge {

// What a study is, apart from its trials.
struct StudyHeader {
  std::string settings = {};  // the effective settings, as TOML
  std::string version = {};   // of the software that made it
  double created = 0;         // seconds since 1970
};

// A worker, and how long its claim holds without a sign of life.
struct WorkerName {
  std::string name = {};     // of this process alone: host, process, start
  std::string version = {};  // of its software
  double lease = 60;         // seconds
};

struct StoreOptions {
  std::function<double()> clock = {};  // seconds since 1970; the system's, if empty
  int attempts = 3;                    // of a trial, before it is quarantined
  double patience = 60;                // seconds to wait for another process's transaction
};

// What a strategy says to the question for the next trial.
struct Proposal {
  enum class Kind { kTrial, kWait, kFinished };
  Kind kind = Kind::kTrial;
  TrialPlan plan = {};  // of kTrial
};

// `changes`: every trial that is new or changed since the last call with the same `seen`, in the order of the changes;
// a trial that changed twice meanwhile comes once, as it is now. `number`: the trial's, if it is accepted. Called
// within a transaction: nobody else can claim or finish anything meanwhile. It may read from the store, not write.
using Proposer = std::function<Proposal(const std::vector<Trial>& changes, std::int64_t number)>;

struct ClaimRequest {
  WorkerName worker = {};
  std::int64_t budget = 0;  // trials of the study in all; counted here, so that workers share it
  // The last revision this process knows. claim() moves it on as soon as `propose` has returned, whatever comes of the
  // proposal; if `propose` throws, it is told the same changes again.
  std::int64_t seen = 0;
};

struct Claim {
  // kDuplicate: the proposal equals a trial there is; nothing was written, `duplicate` is its number. The caller tells
  // its strategy and asks again.
  enum class Kind { kTrial, kWait, kFinished, kBudget, kDuplicate };
  Kind kind = Kind::kWait;
  Trial trial = {};
  std::int64_t duplicate = -1;
};

struct TrialCounts {
  std::int64_t trials = 0, queued = 0, running = 0, completed = 0, stopped = 0, failed = 0, quarantined = 0;
  std::int64_t over() const { return completed + stopped + failed + quarantined; }
};

// Something worth remembering that is not a trial: "resumed", "test set used".
struct StudyEvent {
  double time = 0;
  std::string kind = {};
  std::string text = {};
};

// A study on disk. Every call is one short transaction: a process that is killed at any moment leaves either all of a
// call's changes or none. Used by many processes at once; an object by one thread. Throws Error (kStorage).
class Store {
 public:
  virtual ~Store() = default;

  virtual StudyHeader header() = 0;
  // In place of the header's settings, when a study goes on with others.
  virtual void keep_settings(const std::string& settings) = 0;

  // Takes back claims whose lease has run out; then gives out a queued trial, the lowest number first, whatever the
  // budget; else, within the budget, what `propose` wants. kBudget: there may still be trials that run, see counts().
  // What `propose` throws passes through, and nothing was claimed.
  virtual Claim claim(ClaimRequest& request, const Proposer& propose) = 0;
  // Renews the lease of a claim; false: it was lost, and the result will not be taken.
  virtual bool beat(const Trial& trial, const WorkerName& worker) = 0;
  // Writes the result of a claim; false: the claim was lost before, and nothing was written. Throws Error (kFailed) for
  // a score that is not finite, a completed trial without one, and metrics that are not a JSON object.
  virtual bool finish(const Trial& trial, const WorkerName& worker, const TrialOutcome& outcome) = 0;
  // Gives a claim back. It counts as an attempt, and may quarantine the trial, if `reason` says what went wrong; a
  // clean stop (empty) does not count.
  virtual void release(const Trial& trial, const WorkerName& worker, const std::string& reason) = 0;
  // Takes the claims of a worker that is known to be dead; and those whose lease has run out, whoever has them. Returns
  // how many.
  virtual int release_dead(const std::string& worker) = 0;
  virtual int release_expired() = 0;
  // Queues all quarantined trials, as if they had never been tried. Returns how many.
  virtual int retry_quarantined() = 0;
  // Workers with a claim.
  virtual std::vector<std::string> workers() = 0;

  // Learning curves. Of an attempt that is started again the old points are removed; an epoch's second point replaces
  // the first. Without the claim nothing is written. Throws Error (kFailed) for a score that is not finite.
  virtual void add_point(const Trial& trial, const WorkerName& worker, const CurvePoint& point) = 0;
  virtual std::vector<CurvePoint> curve(std::int64_t number) = 0;
  // The scores that trials other than `number` had at an epoch: for successive halving.
  virtual std::vector<double> scores_at(std::int64_t epoch, std::int64_t number) = 0;

  // Trials that are new or changed since a revision, which is moved on.
  virtual std::vector<Trial> changes(std::int64_t& seen) = 0;
  virtual std::optional<Trial> find(std::int64_t number) = 0;
  // Completed trials, the best first score first; ties by number.
  virtual std::vector<Trial> top(std::size_t count) = 0;
  // Ordered by number, in portions, so that 100,000 trials need no memory at once.
  virtual void each(const std::function<void(const Trial&)>& visit) = 0;
  virtual TrialCounts counts() = 0;

  // Runs after the search. false: there is that repeat of that function in that group, and nothing was written. Throws
  // Error (kFailed) as finish() does.
  virtual bool add_run(const StudyRun& run) = 0;
  // In the order in which they came.
  virtual std::vector<StudyRun> runs(const std::string& group) = 0;
  virtual std::vector<std::string> run_groups() = 0;

  // Features of functions, whether they are trials or not. false: there are such of that function in that group, and
  // nothing was written. Throws Error (kFailed) for numbers that are not finite, and where `valid` contradicts them.
  virtual bool add_features(const StudyFeatures& features) = 0;
  // Those that came since `seen`, which is moved on, in the order in which they came.
  virtual std::vector<StudyFeatures> features(const std::string& group, std::int64_t& seen) = 0;
  virtual std::vector<std::string> feature_groups() = 0;
  // Of whom there are features, without reading them.
  virtual std::vector<std::string> feature_keys(const std::string& group) = 0;

  // Time that the study has been worked on, by the clock on the wall.
  virtual void add_seconds(double seconds) = 0;
  virtual double seconds() = 0;

  virtual void add_event(const std::string& kind, const std::string& text) = 0;
  virtual std::vector<StudyEvent> events() = 0;
};

// Where studies are kept: a path is SQLite. Throws Error (kStorage) where there is none, where the file is damaged or
// something else, or where it was made by a newer version.
std::unique_ptr<Store> open_store(const std::string& place, const StoreOptions& options = {});
// Throws Error (kStorage) where there already is one.
std::unique_ptr<Store> create_store(const std::string& place, const StudyHeader& header,
                                    const StoreOptions& options = {});
bool store_exists(const std::string& place);

}  // namespace actforge
