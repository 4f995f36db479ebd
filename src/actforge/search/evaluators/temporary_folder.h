#pragma once

#include <filesystem>
#include <string>

namespace actforge {

// A folder for files that a command reads, gone with its object.
class TemporaryFolder {
 public:
  // Empty: where the system has its temporary files. Throws Error (kStorage).
  explicit TemporaryFolder(const std::string& where);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace actforge
