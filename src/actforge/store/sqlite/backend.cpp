#include "actforge/store/sqlite/backend.h"

#include <filesystem>

#include "actforge/base/error.h"
#include "actforge/store/sqlite/store.h"

namespace actforge {
namespace {

std::string path_of(const std::string& rest) {
  if (rest.empty()) throw Error(ErrorCode::kStorage, "a study needs a file name");
  return rest.starts_with("///") ? rest.substr(2) : rest;
}

}  // namespace

std::unique_ptr<Store> open_sqlite(const std::string& rest, const StoreOptions& options) {
  return SqliteStore::open(path_of(rest), options);
}

std::unique_ptr<Store> create_sqlite(const std::string& rest, const StudyHeader& header, const StoreOptions& options) {
  return SqliteStore::create(path_of(rest), header, options);
}

bool sqlite_exists(const std::string& rest) { return SqliteStore::exists(path_of(rest)); }

std::string sqlite_title(const std::string& rest) { return std::filesystem::path(path_of(rest)).stem().string(); }

std::string absolute_sqlite(const std::string& rest) { return std::filesystem::absolute(path_of(rest)).string(); }

std::string sqlite_log_folder(const std::string& rest) { return path_of(rest) + ".logs"; }

}  // namespace actforge
