#include "actforge/store/sqlite/store.h"

#include <chrono>
#include <filesystem>

#include "actforge/base/error.h"
#include "actforge/store/sqlite/file.h"
#include "actforge/store/sqlite/schema.h"

namespace actforge {
namespace {

namespace fs = std::filesystem;

double system_clock() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

// A process that was killed while it made a study leaves a journal, and a file that may look like a study. Reading
// anything makes SQLite roll the creation back; or wait, if another process is creating it right now.
void undo_interrupted_creation(const std::string& path, double busy_timeout) {
  std::error_code ignored;
  if (study_file_kind(path) != StudyFileKind::kStudy) return;
  if (!fs::exists(fs::canonical(path, ignored).string() + "-journal", ignored)) return;
  SqliteDatabase(plain_path(path), {.busy_timeout = busy_timeout}).number("PRAGMA application_id");
}

bool is_blank(SqliteDatabase& database) {
  return database.number("PRAGMA application_id") == 0 && database.number("SELECT count(*) FROM sqlite_schema") == 0;
}

// With SQLite's rollback journal, and only then in WAL mode: so the main file says at once that it is a study, while a
// write-ahead log would keep that to itself until its first checkpoint.
void make_study(SqliteDatabase& database, const StudyHeader& header) {
  SqliteTransaction transaction(database);
  if (!is_blank(database)) {
    throw Error(ErrorCode::kStorage, "'" + database.path() + "' was created by another process at the same moment");
  }
  run_schema_steps(database, newest_schema());
  SqliteQuery(database, "INSERT INTO study (id, settings, version, created) VALUES (1, ?, ?, ?)", header.settings,
              header.version, header.created)
      .run();
  database.run("PRAGMA application_id = " + std::to_string(kStudyApplicationId));
  transaction.commit();
}

// A killed process loses nothing that was committed: the operating system has it. A power failure may, with NORMAL,
// undo the last commits, but none of them in part; the trials are then evaluated again, with the same results. FULL
// would prevent that, but each trial would wait for the disk several times, and all other workers with it.
// Temporary tables are in memory, because no other file is to be written. A checkpoint only after 16 MB of log,
// because it waits for the disk, and writes a page once that the log has many times.
void prepare(SqliteDatabase& database) {
  database.run("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON");
  database.run_with_retries("PRAGMA journal_mode = WAL");
  database.run(
      "PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -32000; PRAGMA temp_store = MEMORY; "
      "PRAGMA wal_autocheckpoint = 4000");
}

}  // namespace

SqliteStore::SqliteStore(const std::string& path, const StoreOptions& options, bool create)
    : options_(options), database_(plain_path(path), {.create = create, .busy_timeout = options.busy_timeout}) {
  if (!options_.clock) options_.clock = system_clock;
}

std::unique_ptr<Store> SqliteStore::open(const std::string& path, const StoreOptions& options) {
  undo_interrupted_creation(path, options.busy_timeout);
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
  undo_interrupted_creation(path, options.busy_timeout);
  check_new_study_file(path);
  std::unique_ptr<SqliteStore> store(new SqliteStore(path, options, true));
  make_study(store->database_, header);
  prepare(store->database_);
  return store;
}

bool SqliteStore::exists(const std::string& path) {
  undo_interrupted_creation(path, StoreOptions{}.busy_timeout);
  return study_file_kind(path) == StudyFileKind::kStudy;
}

double SqliteStore::now() const { return options_.clock(); }

void SqliteStore::write_seconds(double seconds) {
  SqliteTransaction transaction(database_);
  SqliteQuery(database_, "UPDATE study SET seconds = seconds + ?", seconds).run();
  transaction.commit();
}

void SqliteStore::keep_settings(const std::string& settings) {
  SqliteTransaction transaction(database_);
  SqliteQuery(database_, "UPDATE study SET settings = ?", settings).run();
  transaction.commit();
}

// What is there under the new name already stays.
void SqliteStore::rename_group(const std::string& from, const std::string& to) {
  SqliteTransaction transaction(database_);
  SqliteQuery(database_, "UPDATE OR IGNORE runs SET conditions = ? WHERE conditions = ?", to, from).run();
  SqliteQuery(database_, "UPDATE OR IGNORE features SET conditions = ? WHERE conditions = ?", to, from).run();
  SqliteQuery(database_, "UPDATE OR IGNORE measurements SET conditions = ? WHERE conditions = ?", to, from).run();
  transaction.commit();
}

void SqliteStore::add_event(const std::string& kind, const std::string& text) {
  SqliteTransaction transaction(database_);
  SqliteQuery(database_, "INSERT INTO events (time, kind, text) VALUES (?, ?, ?)", now(), kind, text).run();
  transaction.commit();
}

}  // namespace actforge
