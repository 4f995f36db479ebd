#include "actforge/study/trial_log_file.h"

#include "actforge/store/backends.h"

namespace actforge {

std::string trial_log_file(const std::string& location, std::int64_t trial, std::int64_t attempt) {
  const std::string folder = store_log_folder(location);
  if (folder.empty()) return {};
  return folder + "/trial-" + std::to_string(trial) + (attempt > 1 ? ".attempt-" + std::to_string(attempt) : "") +
         ".log";
}

}  // namespace actforge
