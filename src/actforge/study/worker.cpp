#include "actforge/study/worker.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>

#include "actforge/base/duration.h"
#include "actforge/base/error.h"
#include "actforge/expr/language/parse.h"
#include "actforge/expr/language/print.h"
#include "actforge/search/settings/halving.h"
#include "actforge/search/settings/joint_search.h"
#include "actforge/study/heartbeat.h"
#include "actforge/study/trial_log_file.h"

namespace actforge {
namespace {

// So many functions set aside, one after another: the evaluator or the probe itself is broken. Where it has worked
// before, functions may be bad ones: a script that fails wherever a loss is NaN, which is every third function, fails
// three times in a row in nearly every search.
constexpr std::uint64_t kHopeless = 3, kHopelessAfterResults = 8;

// Counts failures in a row. A function that breaks the evaluator or the probe is tried again, then set aside; if all
// functions do, it is not the functions.
class Failures {
 public:
  Failures(std::string what, std::uint64_t limit) : what_(std::move(what)), limit_(limit) {}

  void allow(std::uint64_t limit) { limit_ = limit; }
  void reset() { count_ = 0; }
  // Throws Error (kFailed) once there are too many.
  // `where_more`: what shows more than the reason; empty: nothing does.
  void add(const std::string& reason, const std::string& where_more = {}) {
    if (++count_ < limit_) return;
    throw Error(ErrorCode::kFailed, what_ + " broke " + std::to_string(count_) + " times in a row; " +
                                        (where_more.empty() ? "" : where_more + "; ") +
                                        "once it is fixed, 'search resume --retry' also takes up what was set aside. "
                                        "The last time: " +
                                        reason);
  }

 private:
  std::string what_;
  std::uint64_t limit_, count_ = 0;
};

class Worker {
 public:
  Worker(const WorkerOptions& options, Evaluator& evaluator, const RunContext& context)
      : options_(options),
        settings_(options.settings),
        evaluator_(evaluator),
        context_(context),
        // Not open_study(): how many attempts a trial has may have changed since.
        owner_(open_store(options.location, {.attempts = static_cast<int>(settings_.attempts)})),
        store_(*owner_),
        proposals_(settings_, owner_.get(), context),
        failed_trials_("the evaluator", kHopeless * settings_.attempts),
        failed_measurements_("the measurement of features", kHopeless * settings_.attempts) {
    request_.worker = options.name;
    request_.budget = static_cast<std::int64_t>(settings_.trials);
  }

  WorkerEnd run() {
    try {
      return work();
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kCancelled) throw;
      return WorkerEnd::kStopped;
    }
  }

 private:
  WorkerEnd work() {
    while (!context_.stopped()) {
      if (out_of_time()) request_.budget = 0;  // what others lost is still taken up
      if (owes_features() && measure_features()) continue;
      const Claim claim = store_.claim(request_, [&](const std::vector<Trial>& changes, std::int64_t number) {
        return proposals_(changes, number);
      });
      switch (claim.kind) {
        case Claim::Kind::kTrial:
          pause_ = kShortest;
          evaluate(claim.trial);
          break;
        case Claim::Kind::kDuplicate:
          throw Error(ErrorCode::kFailed, "the strategy asked for trial " + std::to_string(claim.duplicate) + " again");
        case Claim::Kind::kBudget:
        case Claim::Kind::kFinished: {
          // Others may still die, and leave their trials to us.
          const TrialCounts counts = store_.counts();
          if (counts.queued + counts.running == 0) return WorkerEnd::kDone;
          rest();
          break;
        }
        case Claim::Kind::kWait:
          if (!measure_features()) rest();
      }
    }
    return WorkerEnd::kStopped;
  }

  using Milliseconds = std::chrono::milliseconds;
  static constexpr Milliseconds kShortest{5}, kLongest{500};

  // Why a trial is not gone on with; empty: it is.
  struct GivenUp {
    std::string reason = {};
    bool failed = false;  // it has no score that counts
  };

  bool out_of_time() { return !settings_.time.empty() && store_.seconds() >= read_duration(settings_.time); }

  // Longer each time, up to half a second.
  void rest() {
    std::this_thread::sleep_for(pause_);
    pause_ = std::min(kLongest, pause_ * 2);
  }

  // Null where nobody wants features, or nobody can measure them.
  FeatureSource* features() { return options_.probe == nullptr ? nullptr : proposals_.features(); }

  // The first function that the strategy wants to know of and that no other worker is measuring.
  bool measure_features() {
    if (features() == nullptr) return false;
    for (const PooledFunction* function : features()->wanted()) {
      const auto claim = store_.claim_features(
          {.group = features()->group(), .expression = to_call(function->expr), .key = function->key.canonical},
          options_.name);
      if (!claim) continue;
      measure(*claim, function->expr);
      return true;
    }
    return false;
  }

  void measure(const FeatureClaim& claim, const Expr& function) {
    const Heartbeat heartbeat(options_.location, claim, options_.name);
    try {
      options_.probe->measure(store_, function);
    } catch (const std::exception& error) {
      const std::string reason = attempt_failure(error);
      store_.release(claim, options_.name, reason);
      if (reason.empty()) throw;
      return failed_measurements_.add(reason);
    }
    failed_measurements_.reset();
  }

  // How many follows from what the store has: a worker that was stopped in between goes on where it was.
  bool owes_features() {
    if (features() == nullptr) return false;
    const TrialCounts counts = store_.counts();
    return counts.trials < request_.budget && features()->owed(counts.over()) > 0;
  }

  void evaluate(const Trial& trial) {
    const auto begin = std::chrono::steady_clock::now();
    Heartbeat heartbeat(options_.location, trial, options_.name);
    TrialOutcome outcome;
    GivenUp given_up;
    EvaluationRequest request = question(trial, heartbeat, given_up);
    try {
      request.function = evaluated_function(settings_, trial.plan.expression);
      request.expression = to_call(request.function);
    } catch (const Error& error) {
      store_.finish(trial, options_.name, {.status = TrialStatus::kFailed, .reason = error.what()});
      return;
    }
    try {
      outcome = evaluator_.evaluate(request);
    } catch (const Error& error) {
      if (error.code() == ErrorCode::kStorage) throw;  // not the function's fault
      if (error.code() == ErrorCode::kCancelled) return give_back(trial, heartbeat);
      return broke(trial, error.what());
    } catch (const std::exception& error) {
      return broke(trial, error.what());
    }
    failed_trials_.reset();
    if (heartbeat.lost()) return;  // somebody else has it now
    if (!given_up.reason.empty() && outcome.status == TrialStatus::kStopped) {
      outcome.reason = given_up.reason;
      if (given_up.failed)
        outcome = {.status = TrialStatus::kFailed, .reason = given_up.reason, .metrics = outcome.metrics};
    }
    outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    store_.finish(trial, options_.name, outcome);
  }

  // A clean stop is no attempt of the trial.
  void give_back(const Trial& trial, const Heartbeat& heartbeat) {
    failed_trials_.reset();
    if (!heartbeat.lost()) store_.release(trial, options_.name, {});
  }

  EvaluationRequest question(const Trial& trial, Heartbeat& heartbeat, GivenUp& given_up) {
    EvaluationRequest request = {.trial = trial.number};
    request.log = trial_log_file(options_.location, trial.number, trial.attempt);
    request.hyperparameters = study_hyperparameters(settings_).completed(trial.plan.hyperparameters);
    request.run = {.seed = trial.plan.seed, .threads = settings_.threads};
    request.run.stop = [&] { return context_.stopped() || heartbeat.lost(); };
    request.report = [&](const CurvePoint& point) {
      store_.add_point(trial, options_.name, point);
      given_up = judge(trial, point);
      return given_up.reason.empty();
    };
    return request;
  }

  GivenUp judge(const Trial& trial, const CurvePoint& point) {
    if (std::string failure = proposals_.failure(point); !failure.empty()) return {std::move(failure), true};
    // A repeat is to have the score of a whole training, and is no rival of those that are new.
    if (settings_.halving && !trial.plan.is_repeat() && is_rung(settings_, point.epoch) &&
        !goes_on(settings_, point.score, store_.scores_at(point.epoch, trial.number))) {
      return {"not among the best at epoch " + std::to_string(point.epoch)};
    }
    return {};
  }

  void broke(const Trial& trial, const std::string& reason) {
    store_.release(trial, options_.name, reason);
    if (store_.counts().completed > 0) failed_trials_.allow(kHopelessAfterResults * settings_.attempts);
    failed_trials_.add(reason, log_hint(trial));
  }

  // Only commands have logs.
  std::string log_hint(const Trial& trial) const {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(trial_log_file(options_.location, trial.number, trial.attempt), ignored)) {
      return {};
    }
    return "'search log STUDY " + std::to_string(trial.number) + "' shows all that it printed";
  }

  const WorkerOptions& options_;
  StudySettings settings_;
  Evaluator& evaluator_;
  const RunContext& context_;
  std::unique_ptr<Store> owner_;
  Store& store_;
  Proposals proposals_;
  ClaimRequest request_;
  Milliseconds pause_ = kShortest;
  // Apart: between two trials that fail there may be features that can be measured.
  Failures failed_trials_, failed_measurements_;
};

}  // namespace

std::string attempt_failure(const std::exception& error) {
  const auto* known = dynamic_cast<const Error*>(&error);
  if (known != nullptr && (known->code() == ErrorCode::kStorage || known->code() == ErrorCode::kCancelled)) return {};
  const std::string reason = error.what();
  return reason.empty() ? "it failed without a reason" : reason;
}

WorkerEnd run_worker(const WorkerOptions& options, Evaluator& evaluator, const RunContext& context) {
  return Worker(options, evaluator, context).run();
}

}  // namespace actforge
