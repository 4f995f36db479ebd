// Who measures the features of which function.
#include "actforge/store/sqlite/schema.h"
#include "actforge/store/sqlite/store.h"

namespace actforge {

bool SqliteStore::has_features(const FeatureTarget& target) {
  SqliteQuery query(database_, "SELECT 1 FROM features WHERE conditions = ? AND key = ? AND set_aside < 2",
                    target.group, target.key);
  return query.next();
}

std::optional<FeatureClaim> SqliteStore::take_features(const FeatureTarget& target, const WorkerName& worker) {
  if (has_features(target)) return std::nullopt;  // without waiting for the right to write
  SqliteTransaction transaction(database_);
  known_schema(database_);
  if (has_features(target)) return std::nullopt;
  SqliteQuery(
      database_,
      "INSERT INTO measurements (conditions, key, expression, attempt, worker, lease) VALUES (?, ?, ?, 1, ?, ?) "
      "ON CONFLICT (conditions, key) DO UPDATE SET attempt = attempt + 1, worker = excluded.worker, "
      "lease = excluded.lease WHERE lease IS NULL",
      target.group, target.key, target.expression, worker.name, now() + worker.lease)
      .run();
  if (database_.changed() == 0) return std::nullopt;  // somebody is measuring them
  FeatureClaim claim = {.target = target};
  {
    SqliteQuery query(database_, "SELECT attempt FROM measurements WHERE conditions = ? AND key = ?", target.group,
                      target.key);
    if (!query.next()) database_.fail_damaged("a claim of features is missing");
    claim.attempt = query.integer(0);
  }
  transaction.commit();
  return claim;
}

bool SqliteStore::holds(const FeatureClaim& claim, const WorkerName& worker) {
  SqliteQuery query(database_,
                    "SELECT 1 FROM measurements WHERE conditions = ? AND key = ? AND worker = ? AND attempt = ? AND "
                    "lease IS NOT NULL",
                    claim.target.group, claim.target.key, worker.name, claim.attempt);
  return query.next();
}

bool SqliteStore::renew(const FeatureClaim& claim, const WorkerName& worker) {
  SqliteTransaction transaction(database_);
  if (!holds(claim, worker)) return false;
  SqliteQuery(database_, "UPDATE measurements SET lease = ? WHERE conditions = ? AND key = ?", now() + worker.lease,
              claim.target.group, claim.target.key)
      .run();
  transaction.commit();
  return true;
}

void SqliteStore::release(const FeatureClaim& claim, const WorkerName& worker, const std::string& reason) {
  SqliteTransaction transaction(database_);
  if (!holds(claim, worker)) return;
  if (reason.empty()) {
    SqliteQuery(database_,
                "UPDATE measurements SET attempt = attempt - 1, lease = NULL WHERE conditions = ? AND key = ?",
                claim.target.group, claim.target.key)
        .run();
  } else {
    end_attempt(claim, reason);
  }
  transaction.commit();
}

void SqliteStore::end_attempt(const FeatureClaim& claim, const std::string& reason) {
  const FeatureTarget& target = claim.target;
  if (claim.attempt < options_.attempts) {
    SqliteQuery(database_, "UPDATE measurements SET lease = NULL WHERE conditions = ? AND key = ?", target.group,
                target.key)
        .run();
    return;
  }
  StudyFeatures features = {.group = target.group, .expression = target.expression, .key = target.key};
  features.valid = false;
  features.reason = reason;
  insert_features(features, true);
}

}  // namespace actforge
