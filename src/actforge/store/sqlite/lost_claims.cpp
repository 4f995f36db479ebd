// Claims of trials and of features whose worker is gone, and what was set aside because of them.
#include "actforge/store/sqlite/store.h"

namespace actforge {
namespace {

constexpr const char* kSilent = "its worker died";

struct LostTrial {
  std::int64_t number = 0;
  std::int64_t attempt = 0;
};

// INDEXED BY: left alone, SQLite would rather read all trials in order than sort the few that it wants.
std::string lost_trials(const std::string& condition) {
  return "SELECT number, attempt FROM trials INDEXED BY trials_running WHERE status = 'running' AND " + condition +
         " ORDER BY number";
}

std::string lost_features(const std::string& condition) {
  return "SELECT conditions, expression, key, attempt FROM measurements INDEXED BY measurements_running WHERE lease IS "
         "NOT NULL AND " +
         condition + " ORDER BY conditions, key";
}

std::vector<LostTrial> read_trials(SqliteQuery&& query) {
  std::vector<LostTrial> lost;
  while (query.next()) lost.push_back({query.integer(0), query.integer(1)});
  return lost;
}

std::vector<FeatureClaim> read_features(SqliteQuery&& query) {
  std::vector<FeatureClaim> lost;
  while (query.next()) {
    lost.push_back({.target = {.group = query.text(0), .expression = query.text(1), .key = query.text(2)},
                    .attempt = query.integer(3)});
  }
  return lost;
}

}  // namespace

template <class Value>
int SqliteStore::end_lost(const std::string& condition, const Value& value) {
  const std::string trials_sql = lost_trials(condition), features_sql = lost_features(condition);
  const std::vector<LostTrial> trials = read_trials(SqliteQuery(database_, trials_sql, value));
  const std::vector<FeatureClaim> features = read_features(SqliteQuery(database_, features_sql, value));
  for (const LostTrial& trial : trials) end_attempt(trial.number, trial.attempt, kSilent);
  for (const FeatureClaim& claim : features) end_attempt(claim, kSilent);
  return static_cast<int>(trials.size() + features.size());
}

int SqliteStore::release_dead(const std::string& worker) {
  SqliteTransaction transaction(database_);
  const int count = end_lost("worker = ?", worker);
  transaction.commit();
  return count;
}

int SqliteStore::release_expired() {
  const double time = now();
  {
    // Mostly there are none, and then nobody has to wait for the right to write.
    SqliteQuery query(
        database_,
        "SELECT 1 FROM trials INDEXED BY trials_running WHERE status = 'running' AND lease < ?1 UNION ALL "
        "SELECT 1 FROM measurements INDEXED BY measurements_running WHERE lease < ?1",
        time);
    if (!query.next()) return 0;
  }
  SqliteTransaction transaction(database_);
  const int count = end_lost("lease < ?", time);
  transaction.commit();
  return count;
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
  SqliteQuery(database_, "UPDATE features SET set_aside = 2 WHERE set_aside = 1").run();
  const std::int64_t features = database_.changed();
  transaction.commit();
  return static_cast<int>(numbers.size()) + static_cast<int>(features);
}

std::vector<std::string> SqliteStore::workers() {
  SqliteQuery query(database_,
                    "SELECT worker FROM trials INDEXED BY trials_running WHERE status = 'running' UNION "
                    "SELECT worker FROM measurements INDEXED BY measurements_running WHERE lease IS NOT NULL "
                    "ORDER BY worker");
  std::vector<std::string> names;
  while (query.next()) names.push_back(query.text(0));
  return names;
}

}  // namespace actforge
