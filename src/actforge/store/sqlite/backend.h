#pragma once

#include "actforge/store/store.h"

namespace actforge {

// Studies in files. `rest` is a path; "///home/me/study.db" is what a URL leaves of one.
std::unique_ptr<Store> open_sqlite(const std::string& rest, const StoreOptions& options);
std::unique_ptr<Store> create_sqlite(const std::string& rest, const StudyHeader& header, const StoreOptions& options);
bool sqlite_exists(const std::string& rest);
// "study" of "folder/study.db".
std::string sqlite_title(const std::string& rest);
std::string absolute_sqlite(const std::string& rest);
// "folder/study.db.logs"
std::string sqlite_log_folder(const std::string& rest);

}  // namespace actforge
