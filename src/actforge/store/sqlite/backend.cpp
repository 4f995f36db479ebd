// Studies in files. `rest` is a path; "///home/me/study.db" is what a URL leaves of one.
#include <filesystem>

#include "actforge/base/error.h"
#include "actforge/store/backends.h"
#include "actforge/store/sqlite/store.h"

namespace actforge {
namespace {

std::string path_of(const std::string& rest) {
  if (rest.empty()) throw Error(ErrorCode::kStorage, "a study needs a file name");
  return rest.starts_with("///") ? rest.substr(2) : rest;
}

std::unique_ptr<Store> open(const std::string& rest, const StoreOptions& options) {
  return SqliteStore::open(path_of(rest), options);
}

std::unique_ptr<Store> create(const std::string& rest, const StudyHeader& header, const StoreOptions& options) {
  return SqliteStore::create(path_of(rest), header, options);
}

bool exists(const std::string& rest) { return SqliteStore::exists(path_of(rest)); }

// "study" of "folder/study.db".
std::string title(const std::string& rest) { return std::filesystem::path(path_of(rest)).stem().string(); }

std::string absolute(const std::string& rest) { return std::filesystem::absolute(path_of(rest)).string(); }

// "folder/study.db.logs"
std::string log_folder(const std::string& rest) { return path_of(rest) + ".logs"; }

}  // namespace

StoreBackend sqlite_backend() {
  return {.name = "sqlite",
          .summary = "one file on a local disk",
          .open = open,
          .create = create,
          .exists = exists,
          .title = title,
          .absolute = absolute,
          .log_folder = log_folder};
}

}  // namespace actforge
