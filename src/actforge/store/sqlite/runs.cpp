#include <bit>

#include "actforge/store/sqlite/store.h"
#include "actforge/store/sqlite/trials.h"

namespace actforge {

bool SqliteStore::write_run(const StudyRun& run) {
  const TrialOutcome& outcome = run.outcome;
  SqliteTransaction transaction(database_);
  SqliteQuery(database_,
              "INSERT INTO runs (conditions, key, repeat, expression, seed, status, scores, reason, metrics, seconds, "
              "version, finished) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
              run.group, run.key, run.repeat, run.expression, std::bit_cast<std::int64_t>(run.seed),
              trial_status_name(outcome.status), number_list(outcome.scores), outcome.reason, outcome.metrics,
              outcome.seconds, run.version, now())
      .run();
  const bool added = database_.changed() > 0;
  transaction.commit();
  return added;
}

std::vector<StudyRun> SqliteStore::runs(const std::string& group) {
  SqliteQuery query(database_,
                    "SELECT expression, key, repeat, seed, status, scores, reason, metrics, seconds, version, finished "
                    "FROM runs WHERE conditions = ? ORDER BY id",
                    group);
  std::vector<StudyRun> runs;
  while (query.next()) {
    query.set_subject("run " + std::to_string(runs.size()) + " of " + group + ": ");
    StudyRun run = {.group = group, .expression = query.text(0), .key = query.text(1), .repeat = query.integer(2)};
    run.seed = std::bit_cast<std::uint64_t>(query.integer(3));
    run.outcome = read_outcome(query, 4);
    run.version = query.text(9);
    run.finished = query.real(10);
    runs.push_back(std::move(run));
  }
  return runs;
}

std::vector<std::string> SqliteStore::run_groups() {
  SqliteQuery query(database_, "SELECT conditions FROM runs GROUP BY conditions ORDER BY min(id)");
  std::vector<std::string> groups;
  while (query.next()) groups.push_back(query.text(0));
  return groups;
}

}  // namespace actforge
