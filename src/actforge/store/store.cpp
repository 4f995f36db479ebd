#include "actforge/store/store.h"

#include "actforge/store/checks.h"

namespace actforge {

// A proposal takes as long as it takes, so it is made outside of any transaction, from what `look` saw at one moment.
// It holds if its number is still the next one: then the same functions have been tried. Results that came in meanwhile
// do not matter; the strategy might as well have been asked before them. Somebody else's trial under that number means
// another round, with the news. Rounds come to an end, for each one that is lost is a new trial of somebody else's, and
// the budget bounds those.
Claim Store::claim(ClaimRequest& request, const Proposer& propose) {
  check_worker(request.worker);
  release_expired();
  for (;;) {
    if (auto queued = take_queued(request.worker)) return {.kind = Claim::Kind::kTrial, .trial = std::move(*queued)};
    const Outlook outlook = look(request);
    if (outlook.number >= request.budget) return {.kind = Claim::Kind::kBudget};
    const Proposal proposal = propose(outlook.changes, outlook.number);
    request.seen = outlook.seen;  // told once, whatever becomes of the proposal
    if (proposal.kind == Proposal::Kind::kWait) return {.kind = Claim::Kind::kWait};
    if (proposal.kind == Proposal::Kind::kFinished) return {.kind = Claim::Kind::kFinished};
    check_plan(proposal.plan, outlook.number);
    if (auto claim = insert_trial(outlook.number, proposal.plan, request.worker)) return std::move(*claim);
  }
}

// Numbers have no gaps, so the next one is how many there are.
Enqueued Store::enqueue(const std::function<TrialPlan(std::int64_t number)>& plan) {
  for (;;) {
    const std::int64_t number = counts().trials;
    const TrialPlan wanted = plan(number);
    check_plan(wanted, number);
    if (const auto enqueued = insert_queued(number, wanted)) return *enqueued;
  }
}

bool Store::beat(const Trial& trial, const WorkerName& worker) {
  check_worker(worker);
  return renew(trial, worker);
}

bool Store::finish(const Trial& trial, const WorkerName& worker, const TrialOutcome& outcome) {
  check_outcome(outcome, trial.number);
  return write_outcome(trial, worker, outcome);
}

void Store::add_point(const Trial& trial, const WorkerName& worker, const CurvePoint& point) {
  check_point(point, trial.number);
  write_point(trial, worker, point);
}

bool Store::add_run(const StudyRun& run) {
  check_run(run);
  return write_run(run);
}

bool Store::add_features(const StudyFeatures& features) {
  check_features(features);
  return write_features(features);
}

std::optional<FeatureClaim> Store::claim_features(const FeatureTarget& target, const WorkerName& worker) {
  check_worker(worker);
  check_target(target);
  release_expired();
  return take_features(target, worker);
}

bool Store::beat(const FeatureClaim& claim, const WorkerName& worker) {
  check_worker(worker);
  return renew(claim, worker);
}

void Store::add_seconds(double seconds) {
  check_seconds(seconds);
  write_seconds(seconds);
}

}  // namespace actforge
