#include "actforge/store/sqlite/store.h"
#include "actforge/store/sqlite/trials.h"

namespace actforge {
namespace {

std::vector<Trial> read_trials(SqliteQuery& query) {
  std::vector<Trial> trials;
  while (query.next()) trials.push_back(read_trial(query));
  return trials;
}

}  // namespace

StudyHeader SqliteStore::header() {
  SqliteQuery query(database_, "SELECT settings, version, created FROM study");
  if (!query.next()) database_.fail_damaged("its settings are missing");
  return {.settings = query.text(0), .version = query.text(1), .created = query.real(2)};
}

std::vector<Trial> SqliteStore::changes(std::int64_t& seen) {
  static const std::string sql = select_trials("WHERE revision > ? ORDER BY revision");
  SqliteQuery query(database_, sql, seen);
  std::vector<Trial> trials;
  std::int64_t last = seen;
  while (query.next()) {
    trials.push_back(read_trial(query));
    last = query.integer(kRevisionColumn);
  }
  seen = last;  // only now: an error leaves it where it was
  return trials;
}

std::optional<Trial> SqliteStore::find(std::int64_t number) {
  static const std::string sql = select_trials("WHERE number = ?");
  SqliteQuery query(database_, sql, number);
  if (!query.next()) return std::nullopt;
  return read_trial(query);
}

std::vector<Trial> SqliteStore::top(std::size_t count) {
  static const std::string sql = select_trials(
      "INDEXED BY trials_best WHERE status = 'completed' AND repeat_of IS NULL ORDER BY score DESC, "
      "number LIMIT ?");
  SqliteQuery query(database_, sql, count);
  return read_trials(query);
}

void SqliteStore::each(const std::function<void(const Trial&)>& visit) {
  constexpr std::int64_t kPortion = 1000;
  static const std::string sql = select_trials("WHERE number > ? ORDER BY number LIMIT ?");
  std::int64_t last = -1;
  while (true) {
    std::vector<Trial> portion;
    {
      // Closed before anything is visited: an open reader would block checkpoints of the write-ahead log.
      SqliteQuery query(database_, sql, last, kPortion);
      portion = read_trials(query);
    }
    for (const Trial& trial : portion) {
      if (trial.number <= last) database_.fail_damaged("its trials are out of order");
      last = trial.number;
      visit(trial);
    }
    if (portion.size() < kPortion) return;
  }
}

TrialCounts SqliteStore::counts() {
  SqliteQuery query(database_, "SELECT status, trials FROM tallies");
  TrialCounts counts;
  while (query.next()) {
    const std::int64_t trials = query.integer(1);
    const std::string status = query.text(0);
    if (status == "refused") {
      counts.refused = trials;
      continue;
    }
    counts.trials += trials;
    const auto count = [&](TrialStatus which, std::int64_t& of) {
      if (status == trial_status_name(which)) of = trials;
    };
    count(TrialStatus::kQueued, counts.queued);
    count(TrialStatus::kRunning, counts.running);
    count(TrialStatus::kCompleted, counts.completed);
    count(TrialStatus::kStopped, counts.stopped);
    count(TrialStatus::kFailed, counts.failed);
    count(TrialStatus::kQuarantined, counts.quarantined);
  }
  counts.repeats =
      database_.number("SELECT count(*) FROM trials INDEXED BY trials_repeats WHERE repeat_of IS NOT NULL");
  return counts;
}

std::vector<CurvePoint> SqliteStore::curve(std::int64_t number) {
  SqliteQuery query(database_, "SELECT epoch, score, metrics FROM curve WHERE trial = ? ORDER BY epoch", number);
  std::vector<CurvePoint> points;
  while (query.next()) points.push_back({query.integer(0), query.real(1), query.text(2)});
  return points;
}

std::vector<double> SqliteStore::scores_at(std::int64_t epoch, std::int64_t number) {
  SqliteQuery query(database_,
                    "SELECT score FROM curve WHERE epoch = ? AND trial <> ? AND trial NOT IN (SELECT number FROM "
                    "trials INDEXED BY trials_repeats WHERE repeat_of IS NOT NULL) ORDER BY trial",
                    epoch, number);
  std::vector<double> scores;
  while (query.next()) scores.push_back(query.real(0));
  return scores;
}

double SqliteStore::seconds() {
  SqliteQuery query(database_, "SELECT seconds FROM study");
  if (!query.next()) database_.fail_damaged("its settings are missing");
  return query.real(0);
}

std::vector<StudyEvent> SqliteStore::events() {
  SqliteQuery query(database_, "SELECT time, kind, text FROM events ORDER BY id");
  std::vector<StudyEvent> events;
  while (query.next()) events.push_back({query.real(0), query.text(1), query.text(2)});
  return events;
}

}  // namespace actforge
