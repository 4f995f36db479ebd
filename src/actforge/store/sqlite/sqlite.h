#pragma once

#include <sqlite3.h>

#include <concepts>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace actforge {

// Bytes as they are.
struct SqliteBlob {
  std::string bytes;
};

// A connection to one SQLite file. Every failure is an Error (kStorage) that names the file and says what to do.
class SqliteDatabase {
 public:
  struct Options {
    bool create = false;       // makes an empty file where there is none
    double busy_timeout = 60;  // busy timeout: seconds to wait for another process's transaction
  };
  SqliteDatabase(std::string path, const Options& options);

  const std::string& path() const { return path_; }
  // Any number of statements, without values and answers.
  void run(const std::string& sql);
  // The same for statements that SQLite, to avoid a deadlock, refuses at once instead of waiting.
  void run_with_retries(const std::string& sql);
  // The only number that a statement without values answers.
  std::int64_t number(const char* sql);
  // Rows that the last statement changed.
  std::int64_t changed() const;
  bool in_transaction() const;

  // What to tell of a result code other than success.
  [[noreturn]] void fail(int code) const;
  // For what can only be wrong because another program wrote to the file.
  [[noreturn]] void fail_damaged(const std::string& what) const;

 private:
  friend class SqliteQuery;
  struct Close {
    void operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }
  };
  struct Finalize {
    void operator()(sqlite3_stmt* handle) const { sqlite3_finalize(handle); }
  };
  using Statement = std::unique_ptr<sqlite3_stmt, Finalize>;

  Statement take(std::string_view sql);

  std::string path_;
  double busy_timeout_;
  std::unique_ptr<sqlite3, Close> handle_;
  std::map<std::string, Statement, std::less<>> idle_;  // preparing costs more than running: cached by their text
};

// One use of a statement: values for its question marks, then rows. Columns are counted from 0; one that has another
// type than asked for means a damaged file.
class SqliteQuery {
 public:
  template <class... Values>
  SqliteQuery(SqliteDatabase& database, std::string_view sql, const Values&... values)
      : SqliteQuery(database, sql, Unbound{}) {
    int index = 0;
    (bind(++index, values), ...);
  }
  ~SqliteQuery();
  SqliteQuery(const SqliteQuery&) = delete;
  SqliteQuery& operator=(const SqliteQuery&) = delete;

  bool next();
  // For statements that answer nothing.
  void run();

  // What the rows are about, in front of what is wrong with one.
  void set_subject(std::string subject) { subject_ = std::move(subject); }
  [[noreturn]] void fail_damaged(const std::string& what) const { database_.fail_damaged(subject_ + what); }

  bool is_null(int column) const;
  std::int64_t integer(int column) const;
  double real(int column) const;
  std::string text(int column) const;
  std::string blob(int column) const;

 private:
  struct Unbound {};
  SqliteQuery(SqliteDatabase& database, std::string_view sql, Unbound);

  void bind(int index, std::int64_t value);
  void bind(int index, double value);
  void bind(int index, std::string_view value);
  void bind(int index, const SqliteBlob& value);
  // Without a value it is NULL, which a new statement has everywhere.
  void bind(int index, const double* value) {
    if (value != nullptr) bind(index, *value);
  }
  void bind(int index, const std::int64_t* value) {
    if (value != nullptr) bind(index, *value);
  }
  template <std::integral Value>
  void bind(int index, Value value) {
    bind(index, static_cast<std::int64_t>(value));
  }
  void check(int code) const;
  void expect(int column, bool matches) const;

  SqliteDatabase& database_;
  std::string_view sql_;
  SqliteDatabase::Statement statement_;
  std::string subject_;
};

// Holds the write lock from its start, so that nothing it has read can be outdated when it writes. Rolled back
// unless committed.
class SqliteTransaction {
 public:
  explicit SqliteTransaction(SqliteDatabase& database);
  ~SqliteTransaction();
  SqliteTransaction(const SqliteTransaction&) = delete;
  SqliteTransaction& operator=(const SqliteTransaction&) = delete;

  void commit();

 private:
  SqliteDatabase& database_;
};

// Everything read while it lives is of one moment. Others may write meanwhile.
class SqliteSnapshot {
 public:
  explicit SqliteSnapshot(SqliteDatabase& database);
  ~SqliteSnapshot();
  SqliteSnapshot(const SqliteSnapshot&) = delete;
  SqliteSnapshot& operator=(const SqliteSnapshot&) = delete;

 private:
  SqliteDatabase& database_;
};

}  // namespace actforge
