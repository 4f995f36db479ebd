#include "actforge/report/atomic_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "actforge/base/error.h"

namespace actforge {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& path, const std::string& why) {
  throw Error(ErrorCode::kStorage, "cannot write '" + path + "': " + why);
}

std::string system_message(int number) { return std::generic_category().message(number); }

}  // namespace

// A new file beside the one that is wanted. It is gone with this object unless it was moved into place.
struct AtomicFile::Temporary {
 public:
  Temporary(const fs::path& folder, const std::string& wanted) : wanted_(wanted) {
    static std::atomic<unsigned> counter{0};
    do {
      path_ = folder / (".actforge-" + std::to_string(getpid()) + "-" + std::to_string(counter++) + ".tmp");
      file_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    } while (file_ < 0 && errno == EEXIST);
    if (file_ < 0) fail(wanted_, system_message(errno));
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

  ~Temporary() {
    if (file_ >= 0) close(file_);
    if (!moved_) unlink(path_.c_str());
  }

  void write(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t count = ::write(file_, bytes.data(), bytes.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) fail(wanted_, system_message(errno));
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
  }

  void move_to(const fs::path& target) {
    if (fsync(file_) != 0) fail(wanted_, system_message(errno));
    const int file = file_;
    file_ = -1;
    if (close(file) != 0) fail(wanted_, system_message(errno));
    if (std::rename(path_.c_str(), target.c_str()) != 0) fail(wanted_, system_message(errno));
    moved_ = true;
  }

 private:
  std::string wanted_;
  fs::path path_;
  int file_ = -1;
  bool moved_ = false;
};

AtomicFile::AtomicFile(const std::string& path) {
  std::error_code ignored;
  fs::path target(path);
  if (fs::exists(target, ignored)) {
    if (!fs::is_regular_file(target, ignored)) fail(path, "it is there already and not a file");
    target = fs::canonical(target, ignored);
  }
  const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, ignored)) fail(path, "there is no folder '" + folder.string() + "'");
  file_ = std::make_unique<Temporary>(folder, path);
  target_ = target.string();
}

AtomicFile::~AtomicFile() = default;

void AtomicFile::write(std::string_view bytes) {
  constexpr std::size_t kBuffer = std::size_t{1} << 20;
  buffer_ += bytes;
  if (buffer_.size() < kBuffer) return;
  file_->write(buffer_);
  buffer_.clear();
}

void AtomicFile::commit() {
  file_->write(buffer_);
  buffer_.clear();
  file_->move_to(target_);
}

void write_file(const std::string& path, std::string_view bytes) {
  AtomicFile file(path);
  file.write(bytes);
  file.commit();
}

}  // namespace actforge
