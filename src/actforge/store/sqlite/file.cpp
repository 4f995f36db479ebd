#include "actforge/store/sqlite/file.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>

#include "actforge/base/error.h"
#include "actforge/store/sqlite/network_file_system.h"
#include "actforge/store/sqlite/schema.h"

namespace actforge {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw Error(ErrorCode::kStorage, "'" + path + "' " + why);
}

// https://www.sqlite.org/fileformat2.html, "The Database Header".
constexpr std::size_t kHeaderSize = 100, kPageSize = 16, kPageCount = 28, kApplicationId = 68;
constexpr std::string_view kMagic("SQLite format 3\0", 16);

struct FirstBytes {
  std::array<char, kHeaderSize> bytes = {};
  std::size_t count = 0;

  bool is_sqlite() const { return count == kHeaderSize && std::string_view(bytes.data(), kMagic.size()) == kMagic; }
  std::uint32_t number(std::size_t offset, std::size_t size) const {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < size; ++i) value = value << 8 | static_cast<unsigned char>(bytes[offset + i]);
    return value;
  }
  std::uint32_t application_id() const { return number(kApplicationId, 4); }
  std::uintmax_t database_size() const {
    const std::uint32_t page = number(kPageSize, 2);
    return std::uintmax_t{page == 1 ? 65536 : page} * number(kPageCount, 4);  // 65536 does not fit its two bytes
  }
};

// Through SQLite, and never by opening the file ourselves: on POSIX systems a process that closes any handle of a file
// loses all its locks on that file. A connection that this process has to the study would then be without its lock, the
// next process to close its own would take itself for the last, and remove the log that the connection still writes to.
FirstBytes read_first_bytes(const std::string& path) {
  FirstBytes first;
  sqlite3* handle = nullptr;
  const int code =
      sqlite3_open_v2(plain_path(path).c_str(), &handle, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nullptr);
  const std::unique_ptr<sqlite3, int (*)(sqlite3*)> closing(handle, sqlite3_close);
  sqlite3_file* file = nullptr;
  sqlite3_int64 size = 0;
  void* const answer = static_cast<void*>(&file);
  if (code != SQLITE_OK || sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, answer) != SQLITE_OK ||
      file == nullptr || file->pMethods == nullptr) {
    refuse(path, "cannot be read; look at its permissions");
  }
  if (file->pMethods->xFileSize(file, &size) != SQLITE_OK) refuse(path, "cannot be read");
  first.count = static_cast<std::size_t>(std::min<sqlite3_int64>(size, kHeaderSize));
  const int read = file->pMethods->xRead(file, first.bytes.data(), static_cast<int>(first.count), 0);
  if (read != SQLITE_OK && read != SQLITE_IOERR_SHORT_READ) refuse(path, "cannot be read");
  return first;
}

void refuse_network(const std::string& path, const std::string& existing) {
  const auto network = network_file_system(file_system_of(existing));
  if (!network) return;
  refuse(path, "is on a network file system (" + std::string(*network) +
                   "), where SQLite's locks are not reliable; put the study on a local disk");
}

// SQLite would read the missing part of the last page as zeros. With a write-ahead log, a file may lack pages that the
// log still has; the log is checked twice, because another process may be about to close the study.
void refuse_truncated(const std::string& path) {
  std::error_code ignored;
  const std::string log = fs::canonical(path, ignored).string() + "-wal";
  if (fs::exists(log, ignored)) return;
  const std::uintmax_t wanted = read_first_bytes(path).database_size();
  const std::uintmax_t size = fs::file_size(path, ignored);
  if (size >= wanted || fs::exists(log, ignored)) return;
  refuse(path, "is truncated: the last " + std::to_string(wanted - size) + " of " + std::to_string(wanted) +
                   " bytes are missing; use a backup copy");
}

[[noreturn]] void refuse_other(const std::string& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) refuse(path, "is a folder, not a study");
  if (!fs::is_regular_file(path, ignored)) refuse(path, "is not a file");
  if (read_first_bytes(path).is_sqlite()) refuse(path, "is an SQLite database, but not a study");
  refuse(path, "is not a study: it is not an SQLite database, or its header is damaged");
}

}  // namespace

StudyFileKind study_file_kind(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) return StudyFileKind::kMissing;
  if (status.type() == fs::file_type::none) refuse(path, "cannot be reached: " + error.message());
  // Only now may it be opened: a pipe would wait for a writer.
  if (status.type() != fs::file_type::regular) return StudyFileKind::kOther;
  const FirstBytes first = read_first_bytes(path);
  if (first.count == 0) return StudyFileKind::kEmpty;
  return first.is_sqlite() && first.application_id() == kStudyApplicationId ? StudyFileKind::kStudy
                                                                            : StudyFileKind::kOther;
}

void check_study_file(const std::string& path) {
  switch (study_file_kind(path)) {
    case StudyFileKind::kMissing: refuse(path, "does not exist: there is no study of this name");
    case StudyFileKind::kEmpty: refuse(path, "is an empty file: there is no study in it");
    case StudyFileKind::kOther: refuse_other(path);
    case StudyFileKind::kStudy: break;
  }
  refuse_network(path, path);
  refuse_truncated(path);
}

void check_new_study_file(const std::string& path) {
  if (path.empty()) throw Error(ErrorCode::kStorage, "a study needs a file name");
  const StudyFileKind kind = study_file_kind(path);
  if (kind == StudyFileKind::kStudy) refuse(path, "is a study already");
  if (kind == StudyFileKind::kOther) refuse(path, "exists and is not a study");
  const fs::path parent = fs::path(path).parent_path();
  const std::string folder = parent.empty() ? "." : parent.string();
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) refuse(path, "cannot be created: there is no folder '" + folder + "'");
  refuse_network(path, kind == StudyFileKind::kMissing ? folder : path);
}

std::string plain_path(const std::string& path) { return fs::absolute(path).string(); }

}  // namespace actforge
