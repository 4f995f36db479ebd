#include "actforge/store/sqlite/sqlite.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <system_error>
#include <thread>

#include "actforge/base/error.h"

namespace actforge {
namespace {

constexpr const char* kFull =
    "there is no space left (a full disk, a quota, a limit of the file's size); what was finished before is "
    "safe: "
    "make room and continue";

// The operating system's reason, where there is one.
std::string because(int system_error) {
  return system_error == 0 ? "" : ": " + std::generic_category().message(system_error);
}

bool is_full(int code, int system_error) {
  const bool refused = code == SQLITE_IOERR || code == SQLITE_CANTOPEN;
  return code == SQLITE_FULL ||
         (refused && (system_error == ENOSPC || system_error == EDQUOT || system_error == EFBIG));
}

std::string advice(int code, int system_error, const std::string& message) {
  if (is_full(code, system_error)) return kFull;
  switch (code) {
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH: return "it cannot be written; check the permissions of the file and of its folder";
    case SQLITE_CANTOPEN:
      return "it cannot be opened" + because(system_error) + "; check the permissions of the file and of its folder";
    case SQLITE_CORRUPT: return "the file is damaged (" + message + "); use a backup copy";
    case SQLITE_NOTADB: return "it is not an SQLite database";
    case SQLITE_IOERR:
      return "reading or writing failed" + because(system_error) + "; what was finished before is safe";
    case SQLITE_NOMEM: return "there is not enough memory";
    default: return message;
  }
}

}  // namespace

SqliteDatabase::SqliteDatabase(std::string path, const Options& options)
    : path_(std::move(path)), busy_timeout_(options.busy_timeout) {
  sqlite3* handle = nullptr;
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | (options.create ? SQLITE_OPEN_CREATE : 0);
  const int code = sqlite3_open_v2(path_.c_str(), &handle, flags, nullptr);
  handle_.reset(handle);  // there is one after a failure too, and it knows why
  if (code != SQLITE_OK) fail(code);
  sqlite3_extended_result_codes(handle, 1);
  constexpr double kLongest = 1e6;  // so that the milliseconds fit an int
  sqlite3_busy_timeout(handle, static_cast<int>(1000 * std::clamp(busy_timeout_, 0.0, kLongest)));
}

void SqliteDatabase::fail(int code) const {
  int system_error = errno;  // SQLite does not note the one of a commit
  if (handle_ == nullptr) {
    system_error = ENOMEM;
  } else if (sqlite3_system_errno(handle_.get()) != 0) {
    system_error = sqlite3_system_errno(handle_.get());
  }
  const int kind = code & 0xff;
  std::string why;
  if (kind == SQLITE_BUSY || kind == SQLITE_LOCKED) {
    why = "another process has kept it locked for more than " + std::to_string(static_cast<int>(busy_timeout_)) +
          " s; is one of them stopped?";
  } else {
    why = advice(kind, system_error, handle_ == nullptr ? sqlite3_errstr(code) : sqlite3_errmsg(handle_.get()));
  }
  throw Error(ErrorCode::kStorage, "'" + path_ + "': " + why);
}

void SqliteDatabase::fail_damaged(const std::string& what) const {
  throw Error(ErrorCode::kStorage, "'" + path_ + "': the file is damaged (" + what + "); use a backup copy");
}

void SqliteDatabase::run(const std::string& sql) {
  errno = 0;
  const int code = sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(code);
}

void SqliteDatabase::run_with_retries(const std::string& sql) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  while (true) {
    errno = 0;
    const int code = sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr);
    if (code == SQLITE_OK) return;
    const bool busy = (code & 0xff) == SQLITE_BUSY;
    if (!busy || std::chrono::duration<double>(Clock::now() - begin).count() >= busy_timeout_) fail(code);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

std::int64_t SqliteDatabase::number(const char* sql) {
  SqliteQuery query(*this, sql);
  if (!query.next()) fail_damaged("no answer to " + std::string(sql));
  return query.integer(0);
}

std::int64_t SqliteDatabase::changed() const { return sqlite3_changes64(handle_.get()); }

bool SqliteDatabase::in_transaction() const { return sqlite3_get_autocommit(handle_.get()) == 0; }

SqliteDatabase::Statement SqliteDatabase::take(std::string_view sql) {
  auto found = idle_.find(sql);
  // The place is made now, because giving back happens in a destructor, which must not fail.
  if (found == idle_.end()) found = idle_.emplace(sql, nullptr).first;
  if (found->second != nullptr) return std::move(found->second);
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v3(handle_.get(), sql.data(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  if (code != SQLITE_OK) fail(code);
  return Statement(statement);
}

SqliteQuery::SqliteQuery(SqliteDatabase& database, std::string_view sql, Unbound)
    : database_(database), sql_(sql), statement_(database.take(sql)) {}

SqliteQuery::~SqliteQuery() {
  sqlite3_reset(statement_.get());  // says again what step said
  sqlite3_clear_bindings(statement_.get());
  database_.idle_.find(sql_)->second = std::move(statement_);
}

void SqliteQuery::check(int code) const {
  if (code != SQLITE_OK) database_.fail(code);
}

void SqliteQuery::bind(int index, std::int64_t value) { check(sqlite3_bind_int64(statement_.get(), index, value)); }

void SqliteQuery::bind(int index, double value) { check(sqlite3_bind_double(statement_.get(), index, value)); }

void SqliteQuery::bind(int index, std::string_view value) {
  // A view without memory would be NULL instead of the empty text.
  const char* data = value.data() == nullptr ? "" : value.data();
  check(sqlite3_bind_text64(statement_.get(), index, data, value.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
}

void SqliteQuery::bind(int index, const SqliteBlob& value) {
  check(sqlite3_bind_blob64(statement_.get(), index, value.bytes.data(), value.bytes.size(), SQLITE_TRANSIENT));
}

bool SqliteQuery::next() {
  errno = 0;
  const int code = sqlite3_step(statement_.get());
  if (code != SQLITE_ROW && code != SQLITE_DONE) database_.fail(code);
  return code == SQLITE_ROW;
}

void SqliteQuery::run() {
  while (next()) {
  }
}

bool SqliteQuery::is_null(int column) const { return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL; }

void SqliteQuery::expect(int column, bool matches) const {
  if (matches) return;
  const char* name = sqlite3_column_name(statement_.get(), column);
  fail_damaged(std::string("'") + (name == nullptr ? "a value" : name) + "' is of another type");
}

std::int64_t SqliteQuery::integer(int column) const {
  expect(column, sqlite3_column_type(statement_.get(), column) == SQLITE_INTEGER);
  return sqlite3_column_int64(statement_.get(), column);
}

double SqliteQuery::real(int column) const {
  expect(column, sqlite3_column_type(statement_.get(), column) == SQLITE_FLOAT);
  return sqlite3_column_double(statement_.get(), column);
}

std::string SqliteQuery::text(int column) const {
  expect(column, sqlite3_column_type(statement_.get(), column) == SQLITE_TEXT);
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
  if (text == nullptr) database_.fail(SQLITE_NOMEM);
  return {text, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

std::string SqliteQuery::blob(int column) const {
  expect(column, sqlite3_column_type(statement_.get(), column) == SQLITE_BLOB);
  const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_.get(), column));
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column));
  return size == 0 ? std::string() : std::string(bytes, size);
}

namespace {

void roll_back(SqliteDatabase& database) {
  // SQLite may have rolled back already, when a disk is full for example.
  if (!database.in_transaction()) return;
  try {
    SqliteQuery(database, "ROLLBACK").run();
  } catch (const Error&) {  // NOLINT(bugprone-empty-catch): there is a failure already, and the next reader rolls back
  }
}

}  // namespace

SqliteTransaction::SqliteTransaction(SqliteDatabase& database) : database_(database) {
  SqliteQuery(database_, "BEGIN IMMEDIATE").run();
}

SqliteTransaction::~SqliteTransaction() { roll_back(database_); }

void SqliteTransaction::commit() { SqliteQuery(database_, "COMMIT").run(); }

SqliteSnapshot::SqliteSnapshot(SqliteDatabase& database) : database_(database) {
  SqliteQuery(database_, "BEGIN DEFERRED").run();
}

SqliteSnapshot::~SqliteSnapshot() { roll_back(database_); }

}  // namespace actforge
