#include <bit>
#include <cmath>

#include "actforge/base/error.h"
#include "actforge/store/sqlite_schema.h"
#include "actforge/store/sqlite_store.h"
#include "actforge/store/sqlite_trials.h"

namespace actforge {
namespace {

// INDEXED BY, here and there: left alone, SQLite would rather read all trials in order than sort the few that it wants.
constexpr const char* kSilent = "its worker stopped without a word";

void check_worker(const WorkerName& worker) {
  if (worker.name.empty()) throw Error(ErrorCode::kFailed, "a worker needs a name, or its claims are nobody's");
  if (!(worker.lease > 0) || !std::isfinite(worker.lease)) {
    throw Error(ErrorCode::kFailed, "the lease of worker '" + worker.name + "' is not a time");
  }
}

struct LostClaim {
  std::int64_t number = 0;
  std::int64_t attempt = 0;
};

std::vector<LostClaim> read_lost(SqliteQuery& query) {
  std::vector<LostClaim> lost;
  while (query.next()) lost.push_back({query.integer(0), query.integer(1)});
  return lost;
}

}  // namespace

// Leases that ran out are dealt with in a transaction of their own: what `propose` is told must stay true even if
// nothing comes of this claim.
Claim SqliteStore::claim(ClaimRequest& request, const Proposer& propose) {
  check_worker(request.worker);
  release_expired();
  SqliteTransaction transaction(database_);
  known_schema(database_);  // a newer program may have upgraded the file meanwhile
  Claim claim;
  if (const auto queued = first_queued()) {
    claim = {.kind = Claim::Kind::kTrial, .trial = start(*queued, request.worker)};
    transaction.commit();
    return claim;
  }
  const std::int64_t number = database_.number("SELECT ifnull(max(number), -1) + 1 FROM trials");
  if (number >= request.budget) return {.kind = Claim::Kind::kBudget};

  std::int64_t seen = request.seen;
  const std::vector<Trial> news = changes(seen);
  const Proposal proposal = propose(news, number);
  request.seen = seen;  // told once, whatever becomes of the proposal
  if (proposal.kind == Proposal::Kind::kWait) return {.kind = Claim::Kind::kWait};
  if (proposal.kind == Proposal::Kind::kFinished) return {.kind = Claim::Kind::kFinished};
  check_plan(proposal.plan, number);
  if (const auto equal = equal_trial(proposal.plan)) return {.kind = Claim::Kind::kDuplicate, .duplicate = *equal};
  insert(number, proposal.plan);
  claim = {.kind = Claim::Kind::kTrial, .trial = start(number, request.worker)};
  transaction.commit();
  return claim;
}

std::optional<std::int64_t> SqliteStore::first_queued() {
  SqliteQuery query(
      database_, "SELECT number FROM trials INDEXED BY trials_queued WHERE status = 'queued' ORDER BY number LIMIT 1");
  if (!query.next()) return std::nullopt;
  return query.integer(0);
}

std::optional<std::int64_t> SqliteStore::equal_trial(const TrialPlan& plan) {
  SqliteQuery same_key(database_, "SELECT number FROM trials WHERE key = ?", plan.key);
  if (same_key.next()) return same_key.integer(0);
  if (plan.fingerprint.empty()) return std::nullopt;
  SqliteQuery same_values(database_, "SELECT number FROM trials WHERE fingerprint = ?", plan.fingerprint);
  if (same_values.next()) return same_values.integer(0);
  return std::nullopt;
}

void SqliteStore::insert(std::int64_t number, const TrialPlan& plan) {
  // Queued for as long as this transaction, so that there is one way only to become a worker's.
  SqliteQuery(
      database_,
      "INSERT INTO trials (number, expression, key, fingerprint, parents, origin, story, generation, seed, asked, "
      "revision, status, attempt, worker, version) "
      "VALUES (?, ?, ?, nullif(?, ''), ?, ?, ?, ?, ?, ?, ?, 'queued', 0, '', '')",
      number, plan.expression, plan.key, plan.fingerprint, number_list(plan.parents), plan.origin,
      text_list(plan.story), plan.generation, std::bit_cast<std::int64_t>(plan.seed), now(), next_revision())
      .run();
}

Trial SqliteStore::start(std::int64_t number, const WorkerName& worker) {
  SqliteQuery(database_, "DELETE FROM curve WHERE trial = ?", number).run();  // of an attempt before
  SqliteQuery(database_,
              "UPDATE trials SET status = 'running', attempt = attempt + 1, worker = ?, version = ?, lease = ?, "
              "revision = ? WHERE number = ?",
              worker.name, worker.version, now() + worker.lease, next_revision(), number)
      .run();
  return find(number).value();
}

// In the indexes, whatever the number of trials.
std::int64_t SqliteStore::next_revision() {
  return database_.number("SELECT ifnull(max(revision), 0) + 1 FROM trials");
}

std::int64_t SqliteStore::next_finish_order() {
  return database_.number("SELECT ifnull(max(finish_order), -1) + 1 FROM trials");
}

// A claim is a number, a worker and an attempt: a worker that was given up and comes back finds another attempt.
bool SqliteStore::holds(const Trial& trial, const WorkerName& worker) {
  SqliteQuery query(database_,
                    "SELECT 1 FROM trials WHERE number = ? AND status = 'running' AND worker = ? AND attempt = ?",
                    trial.number, worker.name, trial.attempt);
  return query.next();
}

bool SqliteStore::beat(const Trial& trial, const WorkerName& worker) {
  check_worker(worker);
  SqliteTransaction transaction(database_);
  if (!holds(trial, worker)) return false;
  // Not a change that anybody waits for: the revision stays.
  SqliteQuery(database_, "UPDATE trials SET lease = ? WHERE number = ?", now() + worker.lease, trial.number).run();
  transaction.commit();
  return true;
}

bool SqliteStore::finish(const Trial& trial, const WorkerName& worker, const TrialOutcome& outcome) {
  check_outcome(outcome, trial.number);
  SqliteTransaction transaction(database_);
  if (!holds(trial, worker)) return false;
  const double* score = outcome.scores.empty() ? nullptr : outcome.scores.data();
  SqliteQuery(
      database_,
      "UPDATE trials SET status = ?, scores = ?, score = ?, reason = ?, metrics = ?, seconds = ?, finished = ?, "
      "finish_order = ?, revision = ?, lease = NULL WHERE number = ?",
      trial_status_name(outcome.status), number_list(outcome.scores), score, outcome.reason, outcome.metrics,
      outcome.seconds, now(), next_finish_order(), next_revision(), trial.number)
      .run();
  transaction.commit();
  return true;
}

void SqliteStore::release(const Trial& trial, const WorkerName& worker, const std::string& reason) {
  SqliteTransaction transaction(database_);
  if (!holds(trial, worker)) return;
  if (reason.empty()) {
    SqliteQuery(
        database_,
        "UPDATE trials SET status = 'queued', attempt = attempt - 1, lease = NULL, revision = ? WHERE number = ?",
        next_revision(), trial.number)
        .run();
  } else {
    end_attempt(trial.number, trial.attempt, reason);
  }
  transaction.commit();
}

void SqliteStore::end_attempt(std::int64_t number, std::int64_t attempt, const std::string& reason) {
  const bool again = attempt < options_.attempts;
  const std::int64_t order = next_finish_order();
  SqliteQuery(database_,
              "UPDATE trials SET status = ?, reason = ?, finish_order = ?, finished = ?, revision = ?, "
              "lease = NULL WHERE number = ?",
              trial_status_name(again ? TrialStatus::kQueued : TrialStatus::kQuarantined), reason,
              again ? nullptr : &order, again ? 0 : now(), next_revision(), number)
      .run();
}

int SqliteStore::release_dead(const std::string& worker) {
  SqliteTransaction transaction(database_);
  SqliteQuery query(database_,
                    "SELECT number, attempt FROM trials INDEXED BY trials_running WHERE status = 'running' AND worker "
                    "= ? ORDER BY number",
                    worker);
  const std::vector<LostClaim> lost = read_lost(query);
  for (const LostClaim& claim : lost) end_attempt(claim.number, claim.attempt, kSilent);
  transaction.commit();
  return static_cast<int>(lost.size());
}

int SqliteStore::release_expired() {
  constexpr const char* kExpired =
      "SELECT number, attempt FROM trials INDEXED BY trials_running WHERE status = 'running' AND lease < ? ORDER BY "
      "number";
  const double time = now();
  {
    // Mostly there are none, and then nobody has to wait for the right to write.
    SqliteQuery query(database_, kExpired, time);
    if (!query.next()) return 0;
  }
  SqliteTransaction transaction(database_);
  SqliteQuery query(database_, kExpired, time);
  const std::vector<LostClaim> lost = read_lost(query);
  for (const LostClaim& claim : lost) end_attempt(claim.number, claim.attempt, kSilent);
  transaction.commit();
  return static_cast<int>(lost.size());
}

int SqliteStore::retry_quarantined() {
  SqliteTransaction transaction(database_);
  std::vector<std::int64_t> numbers;
  {
    SqliteQuery query(database_, "SELECT number FROM trials WHERE status = 'quarantined' ORDER BY number");
    while (query.next()) numbers.push_back(query.integer(0));
  }
  for (const std::int64_t number : numbers) {
    SqliteQuery(database_,
                "UPDATE trials SET status = 'queued', attempt = 0, reason = '', finish_order = NULL, finished = 0, "
                "revision = ? WHERE number = ?",
                next_revision(), number)
        .run();
  }
  transaction.commit();
  return static_cast<int>(numbers.size());
}

std::vector<std::string> SqliteStore::workers() {
  SqliteQuery query(
      database_,
      "SELECT DISTINCT worker FROM trials INDEXED BY trials_running WHERE status = 'running' ORDER BY worker");
  std::vector<std::string> names;
  while (query.next()) names.push_back(query.text(0));
  return names;
}

void SqliteStore::add_point(const Trial& trial, const WorkerName& worker, const CurvePoint& point) {
  check_point(point, trial.number);
  SqliteTransaction transaction(database_);
  if (!holds(trial, worker)) return;  // its next beat will tell the worker
  SqliteQuery(database_, "INSERT OR REPLACE INTO curve (trial, epoch, score, metrics) VALUES (?, ?, ?, ?)",
              trial.number, point.epoch, point.score, point.metrics)
      .run();
  transaction.commit();
}

}  // namespace actforge
