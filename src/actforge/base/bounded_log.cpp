#include "actforge/base/bounded_log.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "actforge/base/error.h"

namespace actforge {

BoundedLog::BoundedLog(const std::string& path) {
  if (path.empty()) return;
  std::error_code ignored;  // shows below
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
  file_.open(path, std::ios::binary | std::ios::trunc);
  if (!file_) throw Error(ErrorCode::kStorage, "cannot write the log '" + path + "': " + std::strerror(errno));
}

BoundedLog::~BoundedLog() {
  if (!file_.is_open()) return;
  if (tail_.size() > kTail) {
    left_out_ += tail_.size() - kTail;
    tail_.erase(0, tail_.size() - kTail);
  }
  if (left_out_ > 0) file_ << "\n[... " << left_out_ << " bytes left out ...]\n";
  file_ << tail_;
}

void BoundedLog::write(std::string_view bytes) {
  if (!file_.is_open()) return;
  const std::string_view first = bytes.substr(0, kHead - head_);
  file_ << first << std::flush;  // so that it can be watched
  head_ += first.size();
  tail_ += bytes.substr(first.size());
  if (tail_.size() <= 4 * kTail) return;  // not at every write
  left_out_ += tail_.size() - kTail;
  tail_.erase(0, tail_.size() - kTail);
}

}  // namespace actforge
