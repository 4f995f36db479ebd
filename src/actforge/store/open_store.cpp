#include "actforge/base/error.h"
#include "actforge/store/sqlite_store.h"
#include "actforge/store/store.h"

namespace actforge {
namespace {

// "postgresql://..." must not become a file of that name.
void check_place(const std::string& place) {
  if (place.empty()) throw Error(ErrorCode::kStorage, "a study needs a file name");
  if (place.find("://") != std::string::npos) {
    throw Error(ErrorCode::kStorage, "'" + place + "': studies are kept in files for now, not in a database server");
  }
}

}  // namespace

std::unique_ptr<Store> open_store(const std::string& place, const StoreOptions& options) {
  check_place(place);
  return SqliteStore::open(place, options);
}

std::unique_ptr<Store> create_store(const std::string& place, const StudyHeader& header, const StoreOptions& options) {
  check_place(place);
  return SqliteStore::create(place, header, options);
}

bool store_exists(const std::string& place) {
  check_place(place);
  return SqliteStore::exists(place);
}

}  // namespace actforge
