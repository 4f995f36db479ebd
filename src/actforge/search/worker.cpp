#include "actforge/search/worker.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include "actforge/base/duration.h"
#include "actforge/base/error.h"
#include "actforge/base/hash.h"
#include "actforge/base/random.h"
#include "actforge/expr/parse.h"
#include "actforge/search/halving.h"
#include "actforge/search/heartbeat.h"

namespace actforge {
namespace {

// So many trials set aside, one after another: the evaluator itself is broken.
constexpr std::uint64_t kHopeless = 3;

class Worker {
 public:
  Worker(const WorkerOptions& options, Evaluator& evaluator)
      : options_(options),
        settings_(options.settings),
        evaluator_(evaluator),
        // Not open_study(): how many attempts a trial has may have changed since.
        owner_(open_store(options.place, {.attempts = static_cast<int>(settings_.attempts)})),
        store_(*owner_),
        proposals_(settings_, owner_.get()),
        choice_(Hasher().add(options.name.name).finish().low) {
    request_.worker = options.name;
    request_.budget = static_cast<std::int64_t>(settings_.trials);
  }

  WorkerEnd run() {
    while (!options_.stop()) {
      if (out_of_time()) request_.budget = 0;  // what others lost is still taken up
      proposals_.prepare();
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

 private:
  using Milliseconds = std::chrono::milliseconds;
  static constexpr Milliseconds kShortest{5}, kLongest{500};

  bool out_of_time() { return !settings_.time.empty() && store_.seconds() >= read_duration(settings_.time); }

  // Longer each time, up to half a second.
  void rest() {
    std::this_thread::sleep_for(pause_);
    pause_ = std::min(kLongest, pause_ * 2);
  }

  // Finds out about a function that the strategy wants to know of. Workers do not tell each other what they are at:
  // each takes any, so that two rarely take the same. A single one takes them in order, and does the same every time.
  bool measure_features() {
    if (options_.meter == nullptr) return false;
    const std::vector<const Expr*> wanted = proposals_.wanted();
    if (wanted.empty()) return false;
    const std::size_t place = settings_.workers == 1 ? 0 : choice_.below(wanted.size());
    options_.meter->measure(store_, *wanted[place]);
    return true;
  }

  // Some more after each trial, so that the map grows while the study goes on. How many follows from what the store
  // has: whoever is stopped in between goes on where he was.
  bool owes_features() {
    if (options_.meter == nullptr || !proposals_.is_ready()) return false;
    const TrialCounts counts = store_.counts();
    return counts.trials < request_.budget &&
           proposals_.later_features() < settings_.options.growth * static_cast<std::uint64_t>(counts.over());
  }

  void evaluate(const Trial& trial) {
    const auto begin = std::chrono::steady_clock::now();
    Heartbeat heartbeat(options_.place, trial, options_.name);
    TrialOutcome outcome;
    std::string given_up;  // why
    try {
      outcome = evaluator_.evaluate(question(trial, heartbeat, given_up));
    } catch (const Error& error) {
      if (error.code() == ErrorCode::kStorage) throw;  // not the function's fault
      return broke(trial, error.what());
    } catch (const std::exception& error) {
      return broke(trial, error.what());
    }
    broken_ = 0;
    if (heartbeat.lost()) return;  // somebody else has it now
    if (outcome.status == TrialStatus::kQueued) return store_.release(trial, options_.name, {});
    if (!given_up.empty() && outcome.status == TrialStatus::kStopped) {
      outcome.reason = given_up;
      if (below_threshold_) outcome = {.status = TrialStatus::kFailed, .reason = given_up, .metrics = outcome.metrics};
    }
    outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    store_.finish(trial, options_.name, outcome);
  }

  EvaluationRequest question(const Trial& trial, Heartbeat& heartbeat, std::string& given_up) {
    EvaluationRequest request = {.function = parse(trial.plan.expression),
                                 .expression = trial.plan.expression,
                                 .trial = trial.number,
                                 .seed = trial.plan.seed};
    below_threshold_ = false;
    request.stop = [&] { return options_.stop() || heartbeat.lost(); };
    request.report = [&](const CurvePoint& point) {
      store_.add_point(trial, options_.name, point);
      given_up = reason_to_give_up(trial, point);
      return given_up.empty();
    };
    return request;
  }

  std::string reason_to_give_up(const Trial& trial, const CurvePoint& point) {
    const double threshold = settings_.options.threshold;
    const bool has_threshold = settings_.strategy.starts_with("pangaea") && settings_.objective.starts_with("accuracy");
    below_threshold_ = has_threshold && settings_.grace > 0 &&
                       point.epoch >= static_cast<std::int64_t>(settings_.grace) && point.score < threshold;
    if (below_threshold_) {
      return "below the threshold " + option_text(threshold) + " after epoch " + std::to_string(point.epoch);
    }
    if (settings_.halving && is_rung(settings_, point.epoch) &&
        !goes_on(settings_, point.score, store_.scores_at(point.epoch, trial.number))) {
      return "not among the best at epoch " + std::to_string(point.epoch);
    }
    return {};
  }

  // A function that breaks the evaluator is tried again, then set aside; if all do, it is not the functions.
  void broke(const Trial& trial, const std::string& reason) {
    store_.release(trial, options_.name, reason);
    if (++broken_ < kHopeless * settings_.attempts) return;
    throw Error(ErrorCode::kFailed,
                "the evaluator broke " + std::to_string(broken_) +
                    " times in a row; once it is mended, 'search resume --retry' also takes up what "
                    "was set aside. The last time: " +
                    reason);
  }

  const WorkerOptions& options_;
  StudySettings settings_;
  Evaluator& evaluator_;
  std::unique_ptr<Store> owner_;
  Store& store_;
  Proposals proposals_;
  ClaimRequest request_;
  Milliseconds pause_ = kShortest;
  Random choice_;  // of what to measure; it does not change what is found
  bool below_threshold_ = false;
  std::uint64_t broken_ = 0;  // evaluations in a row
};

}  // namespace

WorkerEnd run_worker(const WorkerOptions& options, Evaluator& evaluator) { return Worker(options, evaluator).run(); }

}  // namespace actforge
