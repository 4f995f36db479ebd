#include <bit>

#include "actforge/store/sqlite/schema.h"
#include "actforge/store/sqlite/store.h"
#include "actforge/store/sqlite/trials.h"

namespace actforge {

std::optional<Trial> SqliteStore::take_queued(const WorkerName& worker) {
  known_schema(database_);                   // a newer program may have upgraded the file meanwhile
  if (!first_queued()) return std::nullopt;  // without waiting for the right to write
  SqliteTransaction transaction(database_);
  const auto queued = first_queued();
  if (!queued) return std::nullopt;
  Trial trial = start(*queued, worker);
  transaction.commit();
  return trial;
}

Outlook SqliteStore::look(const ClaimRequest& request) {
  const SqliteSnapshot snapshot(database_);
  Outlook outlook = {.number = next_number(), .seen = request.seen};
  if (outlook.number < request.budget) outlook.changes = changes(outlook.seen);
  return outlook;
}

std::optional<Claim> SqliteStore::insert_trial(std::int64_t number, const TrialPlan& plan, const WorkerName& worker) {
  SqliteTransaction transaction(database_);
  known_schema(database_);
  if (next_number() != number) return std::nullopt;
  if (const auto equal = equal_trial(plan)) return Claim{.kind = Claim::Kind::kDuplicate, .duplicate = *equal};
  insert(number, plan);
  Claim claim = {.kind = Claim::Kind::kTrial, .trial = start(number, worker)};
  transaction.commit();
  return claim;
}

std::optional<Enqueued> SqliteStore::insert_queued(std::int64_t number, const TrialPlan& plan) {
  SqliteTransaction transaction(database_);
  known_schema(database_);
  if (next_number() != number) return std::nullopt;
  if (const auto equal = equal_trial(plan)) return Enqueued{.number = *equal};
  insert(number, plan);
  transaction.commit();
  return Enqueued{.number = number, .is_new = true};
}

std::int64_t SqliteStore::next_number() { return database_.number("SELECT ifnull(max(number), -1) + 1 FROM trials"); }

std::optional<std::int64_t> SqliteStore::first_queued() {
  // INDEXED BY: left alone, SQLite would rather read all trials in order than sort the few that it wants.
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
  // Queued, if only within this transaction, so that there is only one way to claim a trial.
  SqliteQuery(
      database_,
      "INSERT INTO trials (number, expression, key, fingerprint, parents, origin, story, generation, seed, asked, "
      "revision, repeat_of, hyperparameters, refused, status, attempt, worker, version) "
      "VALUES (?, ?, ?, nullif(?, ''), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'queued', 0, '', '')",
      number, plan.expression, plan.key, plan.fingerprint, number_list(plan.parents), plan.origin,
      text_list(plan.story), plan.generation, std::bit_cast<std::int64_t>(plan.seed), now(), next_revision(),
      plan.is_repeat() ? &plan.repeat_of : nullptr, text_object(plan.hyperparameters), plan.refused)
      .run();
}

Trial SqliteStore::start(std::int64_t number, const WorkerName& worker) {
  SqliteQuery(database_, "DELETE FROM curve WHERE trial = ?", number).run();  // of an earlier attempt
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

bool SqliteStore::renew(const Trial& trial, const WorkerName& worker) {
  SqliteTransaction transaction(database_);
  if (!holds(trial, worker)) return false;
  // Not a change that readers need: the revision stays.
  SqliteQuery(database_, "UPDATE trials SET lease = ? WHERE number = ?", now() + worker.lease, trial.number).run();
  transaction.commit();
  return true;
}

bool SqliteStore::write_outcome(const Trial& trial, const WorkerName& worker, const TrialOutcome& outcome) {
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

void SqliteStore::write_point(const Trial& trial, const WorkerName& worker, const CurvePoint& point) {
  SqliteTransaction transaction(database_);
  if (!holds(trial, worker)) return;  // the worker learns of it by its next heartbeat
  SqliteQuery(database_, "INSERT OR REPLACE INTO curve (trial, epoch, score, metrics) VALUES (?, ?, ?, ?)",
              trial.number, point.epoch, point.score, point.metrics)
      .run();
  transaction.commit();
}

}  // namespace actforge
