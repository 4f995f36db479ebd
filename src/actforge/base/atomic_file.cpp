#include "actforge/base/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
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

// Where a chain of links ends, whether there is a file or not yet.
fs::path without_links(fs::path path) {
  constexpr int kLongestChain = 40;
  std::error_code ignored;
  for (int i = 0; i < kLongestChain && fs::is_symlink(path, ignored); ++i) {
    const fs::path next = fs::read_symlink(path, ignored);
    path = next.is_absolute() ? next : path.parent_path() / next;
  }
  return path;
}

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

  // A private file stays private.
  void take_mode_of(const fs::path& old) const {
    struct stat status = {};
    if (stat(old.c_str(), &status) == 0) fchmod(file_, status.st_mode & 07777);
  }

  // Nothing more is written.
  void finish() {
    if (fsync(file_) != 0) fail(wanted_, system_message(errno));
    const int file = file_;
    file_ = -1;
    if (close(file) != 0) fail(wanted_, system_message(errno));
  }

  void move_to(const fs::path& target) {
    if (std::rename(path_.c_str(), target.c_str()) != 0) fail(wanted_, system_message(errno));
    moved_ = true;
  }

  // False where there is such a file already.
  bool move_to_new(const fs::path& target) {
    if (renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, target.c_str(), RENAME_NOREPLACE) != 0) {
      if (errno == EEXIST) return false;
      if (errno != EINVAL && errno != ENOSYS) fail(wanted_, system_message(errno));
      // Some file systems have no such call.
      std::error_code ignored;
      if (fs::exists(fs::symlink_status(target, ignored))) return false;
      move_to(target);
    }
    moved_ = true;
    return true;
  }

 private:
  std::string wanted_;
  fs::path path_;
  int file_ = -1;
  bool moved_ = false;
};

AtomicFile::AtomicFile(const std::string& path) {
  std::error_code ignored;
  const fs::path target = without_links(path);
  if (fs::is_symlink(target, ignored)) fail(path, "its symbolic links form a cycle");
  const bool exists = fs::exists(target, ignored);
  if (exists && !fs::is_regular_file(target, ignored)) fail(path, "it exists and is not a file");
  const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, ignored)) fail(path, "there is no folder '" + folder.string() + "'");
  file_ = std::make_unique<Temporary>(folder, path);
  if (exists) file_->take_mode_of(target);
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

void AtomicFile::commit() { commit_to(target_); }

std::string AtomicFile::commit_part() {
  std::string part = target_ + ".part";
  commit_to(part);
  return part;
}

std::string AtomicFile::commit_new(const std::string& path) {
  finish();
  std::string name = path;
  for (int number = 2; !file_->move_to_new(name); ++number) name = path + "." + std::to_string(number);
  return name;
}

void AtomicFile::commit_to(const std::string& target) {
  finish();
  file_->move_to(target);
}

void AtomicFile::finish() {
  file_->write(buffer_);
  buffer_.clear();
  file_->finish();
}

void check_writable(const std::string& path) { const AtomicFile goes_away(path); }

void write_file(const std::string& path, std::string_view bytes) {
  AtomicFile file(path);
  file.write(bytes);
  file.commit();
}

}  // namespace actforge
