#include "actforge/store/sqlite_store.h"

#include <chrono>
#include <cmath>
#include <filesystem>

#include "actforge/base/error.h"
#include "actforge/store/sqlite_file.h"
#include "actforge/store/sqlite_schema.h"

namespace actforge {
namespace {

namespace fs = std::filesystem;

double system_clock() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

// A process that was killed while it made a study leaves a journal, and a file that may look like a study. Reading
// anything makes SQLite undo what was begun; or wait, if somebody is making it right now.
void undo_interrupted_creation(const std::string& path, double patience) {
  std::error_code ignored;
  if (study_file_kind(path) != StudyFileKind::kStudy) return;
  if (!fs::exists(fs::canonical(path, ignored).string() + "-journal", ignored)) return;
  SqliteDatabase(plain_path(path), {.patience = patience}).number("PRAGMA application_id");
}

bool is_blank(SqliteDatabase& database) {
  return database.number("PRAGMA application_id") == 0 && database.number("SELECT count(*) FROM sqlite_schema") == 0;
}

// In SQLite's journal of old, and only then WAL: so the main file says at once that it is a study, while a write-ahead
// log would keep that for itself for a while.
void make_study(SqliteDatabase& database, const StudyHeader& header) {
  SqliteTransaction transaction(database);
  if (!is_blank(database)) {
    throw Error(ErrorCode::kStorage, "'" + database.path() + "' was made by another process at the same moment");
  }
  run_schema_steps(database, newest_schema());
  SqliteQuery(database, "INSERT INTO study (id, settings, version, created) VALUES (1, ?, ?, ?)", header.settings,
              header.version, header.created)
      .run();
  database.run("PRAGMA application_id = " + std::to_string(kStudyApplicationId));
  transaction.commit();
}

// A killed process loses nothing that was committed: the operating system has it. Power failing may, with NORMAL, take
// back the last commits, never more and never by half; the trials are then evaluated again, to the same results. FULL
// would save them, at the price of waiting for the disk several times a trial, and of all other workers waiting too.
// Temporary tables in memory, because no other file is to be written. A log of 16 MB before it is merged into the file,
// because merging waits for the disk, and writes a page once that the log has many times.
void prepare(SqliteDatabase& database) {
  database.run("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON");
  database.run_patiently("PRAGMA journal_mode = WAL");
  database.run(
      "PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -32000; PRAGMA temp_store = MEMORY; "
      "PRAGMA wal_autocheckpoint = 4000");
}

void check_options(const StoreOptions& options) {
  if (options.attempts < 1) throw Error(ErrorCode::kUsage, "a trial needs at least one attempt");
  if (!(options.patience >= 0)) throw Error(ErrorCode::kUsage, "the patience for a locked study is not a time");
}

}  // namespace

SqliteStore::SqliteStore(const std::string& path, const StoreOptions& options, bool create)
    : options_(options), database_(plain_path(path), {.create = create, .patience = options.patience}) {
  if (!options_.clock) options_.clock = system_clock;
}

std::unique_ptr<Store> SqliteStore::open(const std::string& path, const StoreOptions& options) {
  check_options(options);
  undo_interrupted_creation(path, options.patience);
  check_study_file(path);
  std::unique_ptr<SqliteStore> store(new SqliteStore(path, options, false));
  known_schema(store->database_);  // before anything is written
  prepare(store->database_);
  upgrade_schema(store->database_);
  store->header();
  return store;
}

std::unique_ptr<Store> SqliteStore::create(const std::string& path, const StudyHeader& header,
                                           const StoreOptions& options) {
  check_options(options);
  undo_interrupted_creation(path, options.patience);
  check_new_study_file(path);
  std::unique_ptr<SqliteStore> store(new SqliteStore(path, options, true));
  make_study(store->database_, header);
  prepare(store->database_);
  return store;
}

bool SqliteStore::exists(const std::string& path) {
  undo_interrupted_creation(path, StoreOptions{}.patience);
  return study_file_kind(path) == StudyFileKind::kStudy;
}

double SqliteStore::now() const { return options_.clock(); }

void SqliteStore::add_seconds(double seconds) {
  if (!std::isfinite(seconds)) throw Error(ErrorCode::kFailed, "the time worked is not a finite number");
  SqliteTransaction transaction(database_);
  SqliteQuery(database_, "UPDATE study SET seconds = seconds + ?", seconds).run();
  transaction.commit();
}

void SqliteStore::keep_settings(const std::string& settings) {
  SqliteTransaction transaction(database_);
  SqliteQuery(database_, "UPDATE study SET settings = ?", settings).run();
  transaction.commit();
}

void SqliteStore::add_event(const std::string& kind, const std::string& text) {
  SqliteTransaction transaction(database_);
  SqliteQuery(database_, "INSERT INTO events (time, kind, text) VALUES (?, ?, ?)", now(), kind, text).run();
  transaction.commit();
}

}  // namespace actforge
