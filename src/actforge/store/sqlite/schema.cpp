#include "actforge/store/sqlite/schema.h"

#include <string>

#include "actforge/base/error.h"

namespace actforge {
namespace {

// `revision` grows with every change of any trial: a reader that knows the study up to one continues from there.
// `score` is the first of `scores`, for the index. `lease` is when the claim of a running trial ends.
constexpr std::string_view kTrials = R"(
CREATE TABLE study (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  settings TEXT NOT NULL,
  version TEXT NOT NULL,
  created REAL NOT NULL
) STRICT;

CREATE TABLE trials (
  number INTEGER PRIMARY KEY CHECK (number >= 0),
  expression TEXT NOT NULL,
  key TEXT NOT NULL UNIQUE,
  fingerprint TEXT UNIQUE,
  parents TEXT NOT NULL,
  origin TEXT NOT NULL,
  story TEXT NOT NULL,
  generation INTEGER NOT NULL,
  seed INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('queued', 'running', 'completed', 'stopped', 'failed', 'quarantined')),
  scores TEXT NOT NULL DEFAULT '[]',
  score REAL,
  reason TEXT NOT NULL DEFAULT '',
  metrics TEXT NOT NULL DEFAULT '',
  seconds REAL NOT NULL DEFAULT 0,
  attempt INTEGER NOT NULL,
  worker TEXT NOT NULL,
  version TEXT NOT NULL,
  finish_order INTEGER UNIQUE,
  asked REAL NOT NULL,
  finished REAL NOT NULL DEFAULT 0,
  lease REAL,
  revision INTEGER NOT NULL UNIQUE,
  CHECK ((status = 'running') = (lease IS NOT NULL)),
  CHECK ((status IN ('queued', 'running')) = (finish_order IS NULL))
) STRICT;

CREATE INDEX trials_queued ON trials (number) WHERE status = 'queued';
CREATE INDEX trials_running ON trials (lease) WHERE status = 'running';
CREATE INDEX trials_best ON trials (score DESC, number) WHERE status = 'completed';

CREATE TABLE curve (
  trial INTEGER NOT NULL REFERENCES trials (number),
  epoch INTEGER NOT NULL,
  score REAL NOT NULL,
  metrics TEXT NOT NULL,
  PRIMARY KEY (trial, epoch)
) STRICT, WITHOUT ROWID;

CREATE INDEX curve_at_epoch ON curve (epoch, trial, score);
)";

// Counting 100,000 trials takes milliseconds; a trigger that counts along takes microseconds.
constexpr std::string_view kEvents = R"(
CREATE TABLE events (
  id INTEGER PRIMARY KEY,
  time REAL NOT NULL,
  kind TEXT NOT NULL,
  text TEXT NOT NULL
) STRICT;

ALTER TABLE study ADD COLUMN seconds REAL NOT NULL DEFAULT 0;

CREATE TABLE tallies (
  status TEXT PRIMARY KEY,
  trials INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO tallies SELECT status, count(*) FROM trials GROUP BY status;

CREATE TRIGGER tally_new AFTER INSERT ON trials BEGIN
  INSERT INTO tallies VALUES (NEW.status, 1) ON CONFLICT (status) DO UPDATE SET trials = trials + 1;
END;
CREATE TRIGGER tally_change AFTER UPDATE OF status ON trials WHEN OLD.status <> NEW.status BEGIN
  UPDATE tallies SET trials = trials - 1 WHERE status = OLD.status;
  INSERT INTO tallies VALUES (NEW.status, 1) ON CONFLICT (status) DO UPDATE SET trials = trials + 1;
END;
)";

// What is evaluated after the search. `conditions` is the group of a run.
constexpr std::string_view kRuns = R"(
CREATE TABLE runs (
  id INTEGER PRIMARY KEY,
  conditions TEXT NOT NULL,
  key TEXT NOT NULL,
  repeat INTEGER NOT NULL CHECK (repeat >= 0),
  expression TEXT NOT NULL,
  seed INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('completed', 'stopped', 'failed', 'quarantined')),
  scores TEXT NOT NULL,
  reason TEXT NOT NULL,
  metrics TEXT NOT NULL,
  seconds REAL NOT NULL,
  version TEXT NOT NULL,
  finished REAL NOT NULL,
  UNIQUE (conditions, key, repeat)
) STRICT;
)";

// What describes functions to a surrogate: `count` numbers of four bytes, packed by zlib.
constexpr std::string_view kFeatures = R"(
CREATE TABLE features (
  id INTEGER PRIMARY KEY,
  conditions TEXT NOT NULL,
  key TEXT NOT NULL,
  expression TEXT NOT NULL,
  valid INTEGER NOT NULL CHECK (valid IN (0, 1)),
  reason TEXT NOT NULL,
  count INTEGER NOT NULL CHECK (count >= 0),
  packed BLOB NOT NULL,
  noise REAL NOT NULL,
  seconds REAL NOT NULL,
  version TEXT NOT NULL,
  UNIQUE (conditions, key)
) STRICT;
)";

// Functions whose features are being measured (then there is a lease), or whose measurement was lost: `attempt` counts
// how often. Those that were lost as often as is allowed are set aside: their row in `features` says 1. 2: somebody
// wants them to be measured again; until then the row counts as missing.
constexpr std::string_view kMeasurements = R"(
CREATE TABLE measurements (
  conditions TEXT NOT NULL,
  key TEXT NOT NULL,
  expression TEXT NOT NULL,
  attempt INTEGER NOT NULL CHECK (attempt >= 0),
  worker TEXT NOT NULL,
  lease REAL,
  PRIMARY KEY (conditions, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX measurements_running ON measurements (lease) WHERE lease IS NOT NULL;

ALTER TABLE features ADD COLUMN set_aside INTEGER NOT NULL DEFAULT 0 CHECK (set_aside IN (0, 1, 2));
)";

// A repeat is a trial of its own, so that claims, leases, attempts, curves and the budget hold for it as for any other.
// The best functions are looked for among the others.
constexpr std::string_view kRepeats = R"(
ALTER TABLE trials ADD COLUMN repeat_of INTEGER REFERENCES trials (number) CHECK (repeat_of < number);
CREATE INDEX trials_repeats ON trials (repeat_of) WHERE repeat_of IS NOT NULL;
DROP INDEX trials_best;
CREATE INDEX trials_best ON trials (score DESC, number) WHERE status = 'completed' AND repeat_of IS NULL;
)";

// A tally beside those of each status.
constexpr std::string_view kJoint = R"(
ALTER TABLE trials ADD COLUMN hyperparameters TEXT NOT NULL DEFAULT '{}';
ALTER TABLE trials ADD COLUMN refused INTEGER NOT NULL DEFAULT 0 CHECK (refused >= 0);

CREATE TRIGGER tally_refused AFTER INSERT ON trials WHEN NEW.refused > 0 BEGIN
  INSERT INTO tallies VALUES ('refused', NEW.refused) ON CONFLICT (status) DO UPDATE SET trials = trials + NEW.refused;
END;
)";

constexpr SchemaStep kSteps[] = {
    {"the study, its trials and their learning curves", kTrials},
    {"events, time worked, and how many trials there are of each status", kEvents},
    {"evaluations after the search", kRuns},
    {"features of functions", kFeatures},
    {"who measures features, and which were set aside", kMeasurements},
    {"repeats of trials", kRepeats},
    {"hyperparameters of trials, and how many functions were refused", kJoint},
};

}  // namespace

std::span<const SchemaStep> schema_steps() { return kSteps; }

std::int64_t newest_schema() { return static_cast<std::int64_t>(std::size(kSteps)); }

void run_schema_steps(SqliteDatabase& database, std::int64_t version) {
  for (std::int64_t done = database.number("PRAGMA user_version"); done < version; ++done) {
    database.run(std::string(kSteps[done].sql));
    database.run("PRAGMA user_version = " + std::to_string(done + 1));
  }
}

std::int64_t known_schema(SqliteDatabase& database) {
  const std::int64_t version = database.number("PRAGMA user_version");
  if (version > newest_schema()) {
    throw Error(ErrorCode::kStorage, "'" + database.path() +
                                         "' was made or upgraded by a newer actforge (schema version " +
                                         std::to_string(version) + "; this program knows " +
                                         std::to_string(newest_schema()) + "); use the newer one");
  }
  if (version < 1) database.fail_damaged("its schema version is " + std::to_string(version));
  return version;
}

void upgrade_schema(SqliteDatabase& database) {
  if (known_schema(database) == newest_schema()) return;
  SqliteTransaction transaction(database);
  known_schema(database);  // another process may have been first, and may be newer
  run_schema_steps(database, newest_schema());
  transaction.commit();
}

}  // namespace actforge
