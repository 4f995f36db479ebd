#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace actforge {

// What the system says of the file system under a path.
struct FileSystem {
  std::uint64_t magic = 0;  // as statfs gives it
  std::string type = {};    // as in /proc/self/mountinfo, "fuse.sshfs" for example; only asked for where FUSE is
};

// The name of a network file system, or of one that leaves locking to another system; nothing for a local one. SQLite
// needs locks and shared memory that every process sees, and loses data where a file system only pretends to have them.
std::optional<std::string_view> network_file_system(const FileSystem& system);

// That of an existing file or folder; all zeros where the system does not say.
FileSystem file_system_of(const std::string& path);

}  // namespace actforge
