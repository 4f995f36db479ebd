#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "actforge/store/feature_claim.h"
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

// A worker, and how long its claim holds without a heartbeat: the lease.
struct WorkerName {
  std::string name = {};     // of this process alone: host, process, start
  std::string version = {};  // of its software
  double lease = 60;         // seconds
};

struct StoreOptions {
  std::function<double()> clock = {};  // seconds since 1970; the system's, if empty
  int attempts = 3;                    // of a trial, before it is quarantined
  double busy_timeout = 60;            // busy timeout: seconds to wait for another process's transaction
};

// A strategy's answer to the request for the next trial.
struct Proposal {
  enum class Kind { kTrial, kWait, kFinished };
  Kind kind = Kind::kTrial;
  TrialPlan plan = {};  // of kTrial
};

// `changes`: every trial that is new or changed since the last call with the same `seen`, in the order of the changes;
// a trial that changed twice meanwhile comes once, as it is now. `number`: the trial's, if it is accepted. Called
// outside of any transaction, so it may take as long as it likes: nobody waits for it. Called again with what has
// changed since where another worker got the number first.
using Proposer = std::function<Proposal(const std::vector<Trial>& changes, std::int64_t number)>;

struct ClaimRequest {
  WorkerName worker = {};
  std::int64_t budget = 0;  // trials of the study in all; counted here, so that workers share it
  // The last revision this process knows. claim() moves it on as soon as `propose` has returned, whatever comes of the
  // proposal; if `propose` throws, it gets the same changes again.
  std::int64_t seen = 0;
};

// What a proposer is told. `changes` and `number` are of the same moment.
struct Outlook {
  std::int64_t number = 0;  // of the next new trial
  std::vector<Trial> changes = {};
  std::int64_t seen = 0;  // the last revision among them
};

struct Claim {
  // kDuplicate: the proposal equals a trial there is; nothing was written, `duplicate` is its number. The caller tells
  // its strategy and asks again.
  enum class Kind { kTrial, kWait, kFinished, kBudget, kDuplicate };
  Kind kind = Kind::kWait;
  Trial trial = {};
  std::int64_t duplicate = -1;
};

// What became of a function that somebody wants to be tried.
struct Enqueued {
  std::int64_t number = 0;  // of its trial, or of the trial of an equal function
  bool is_new = false;
};

struct TrialCounts {
  std::int64_t trials = 0, queued = 0, running = 0, completed = 0, stopped = 0, failed = 0, quarantined = 0;
  std::int64_t repeats = 0;  // among all of these
  std::int64_t refused = 0;  // functions that were drawn, but are no trials
  std::int64_t over() const { return completed + stopped + failed + quarantined; }
};

// Something worth remembering that is not a trial: "resumed", "test set used".
struct StudyEvent {
  double time = 0;
  std::string kind = {};
  std::string text = {};
};

// A study on disk. A process that is killed at any moment leaves either all of a call's changes or none, and no call
// keeps others waiting for longer than a short transaction. Used by many processes at once; an object by one thread.
// Throws Error (kStorage).
//
// What may get into a study is checked here, once for all backends (checks.h); a backend overrides the virtual
// functions.
class Store {
 public:
  virtual ~Store() = default;

  virtual StudyHeader header() = 0;
  // In place of the header's settings, when a study continues with others.
  virtual void keep_settings(const std::string& settings) = 0;

  // Ends claims whose lease has expired; then assigns a queued trial, the lowest number first, whatever the
  // budget; else, within the budget, what `propose` wants. kBudget: there may still be trials that run, see counts().
  // What `propose` throws passes through, and nothing was claimed.
  Claim claim(ClaimRequest& request, const Proposer& propose);
  // Makes a trial that the next worker gets before anything is proposed, whatever the budget. `plan` is told the
  // trial's number, and is asked again where another trial got that number first. Where there is a trial of an equal
  // function, nothing is written.
  Enqueued enqueue(const std::function<TrialPlan(std::int64_t number)>& plan);
  // Renews the lease of a claim; false: it was lost, and the result will not be taken.
  bool beat(const Trial& trial, const WorkerName& worker);
  // Writes the result of a claim; false: the claim was lost before, and nothing was written. Throws Error (kFailed) for
  // a score that is not finite, a completed trial without one, and metrics that are not a JSON object.
  bool finish(const Trial& trial, const WorkerName& worker, const TrialOutcome& outcome);
  // Releases a claim. It counts as an attempt, and may quarantine the trial, if `reason` says what went wrong; a
  // clean stop (empty) does not count.
  virtual void release(const Trial& trial, const WorkerName& worker, const std::string& reason) = 0;
  // Takes the claims of a worker that is known to be dead; and those whose lease has expired, whoever has them: trials
  // and features alike. Returns how many.
  virtual int release_dead(const std::string& worker) = 0;
  virtual int release_expired() = 0;
  // Queues all quarantined trials, and has the features measured again that were set aside, as if nobody had ever
  // tried. Returns how many trials and features.
  virtual int retry_quarantined() = 0;
  // Workers with a claim, of a trial or of features.
  virtual std::vector<std::string> workers() = 0;

  // Learning curves. Of an attempt that is started again the old points are removed; an epoch's second point replaces
  // the first. Without the claim nothing is written. Throws Error (kFailed) for a score that is not finite.
  void add_point(const Trial& trial, const WorkerName& worker, const CurvePoint& point);
  virtual std::vector<CurvePoint> curve(std::int64_t number) = 0;
  // The scores that trials other than `number` had at an epoch, repeats left out: for successive halving.
  virtual std::vector<double> scores_at(std::int64_t epoch, std::int64_t number) = 0;

  // Trials that are new or changed since a revision, which is moved on.
  virtual std::vector<Trial> changes(std::int64_t& seen) = 0;
  virtual std::optional<Trial> find(std::int64_t number) = 0;
  // Completed trials that repeat no other, the best first score first; ties by number.
  virtual std::vector<Trial> top(std::size_t count) = 0;
  // Ordered by number, in portions, so that 100,000 trials need no memory at once.
  virtual void each(const std::function<void(const Trial&)>& visit) = 0;
  virtual TrialCounts counts() = 0;

  // Runs after the search. false: there is that repeat of that function in that group, and nothing was written. Throws
  // Error (kFailed) as finish() does.
  bool add_run(const StudyRun& run);
  // In the order in which they came.
  virtual std::vector<StudyRun> runs(const std::string& group) = 0;
  virtual std::vector<std::string> run_groups() = 0;

  // Features of functions, whether they are trials or not. false: there are such of that function in that group, and
  // nothing was written. Throws Error (kFailed) for numbers that are not finite, and where `valid` contradicts them.
  // Ends the claim of whoever was measuring them.
  bool add_features(const StudyFeatures& features);
  // Those that came since `seen`, which is moved on, in the order in which they came.
  virtual std::vector<StudyFeatures> features(const std::string& group, std::int64_t& seen) = 0;
  virtual std::vector<std::string> feature_groups() = 0;
  // The functions that have features, without reading these.
  virtual std::vector<std::string> feature_keys(const std::string& group) = 0;

  // Claims of functions whose features are to be measured; they have leases and attempts as trials have. Nothing: there
  // are features of that function, or somebody is measuring them. A function that has lost as many workers as a trial
  // may is set aside: it gets features that are not valid, with the reason.
  std::optional<FeatureClaim> claim_features(const FeatureTarget& target, const WorkerName& worker);
  bool beat(const FeatureClaim& claim, const WorkerName& worker);
  // As release() of a trial does.
  virtual void release(const FeatureClaim& claim, const WorkerName& worker, const std::string& reason) = 0;

  // Gives a group of runs or of features another name: that of the same conditions in a newer form.
  virtual void rename_group(const std::string& from, const std::string& to) = 0;

  // Time that the study has been worked on, in wall-clock time.
  void add_seconds(double seconds);
  virtual double seconds() = 0;

  virtual void add_event(const std::string& kind, const std::string& text) = 0;
  virtual std::vector<StudyEvent> events() = 0;

 protected:
  // The functions above without the checks.
  //
  // A queued trial, the lowest number first, which then is this worker's.
  virtual std::optional<Trial> take_queued(const WorkerName& worker) = 0;
  // Without changes where the next number is not within the budget.
  virtual Outlook look(const ClaimRequest& request) = 0;
  // A short transaction: kTrial or kDuplicate; nothing: there is a trial of that number by now.
  virtual std::optional<Claim> insert_trial(std::int64_t number, const TrialPlan& plan, const WorkerName& worker) = 0;
  // The same for a trial that nobody has yet.
  virtual std::optional<Enqueued> insert_queued(std::int64_t number, const TrialPlan& plan) = 0;
  virtual bool renew(const Trial& trial, const WorkerName& worker) = 0;
  virtual bool write_outcome(const Trial& trial, const WorkerName& worker, const TrialOutcome& outcome) = 0;
  virtual void write_point(const Trial& trial, const WorkerName& worker, const CurvePoint& point) = 0;
  virtual bool write_run(const StudyRun& run) = 0;
  virtual bool write_features(const StudyFeatures& features) = 0;
  virtual std::optional<FeatureClaim> take_features(const FeatureTarget& target, const WorkerName& worker) = 0;
  virtual bool renew(const FeatureClaim& claim, const WorkerName& worker) = 0;
  virtual void write_seconds(double seconds) = 0;
};

// Where studies are kept: a plain path, or "scheme:rest" for a row of store_backends(). Throws Error (kStorage)
// where there is none, where the file is damaged or something else, or where it was made by a newer version.
std::unique_ptr<Store> open_store(const std::string& location, const StoreOptions& options = {});
// Throws Error (kStorage) where there already is one.
std::unique_ptr<Store> create_store(const std::string& location, const StudyHeader& header,
                                    const StoreOptions& options = {});
bool store_exists(const std::string& location);

}  // namespace actforge
