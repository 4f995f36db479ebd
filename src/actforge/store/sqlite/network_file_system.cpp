#include "actforge/store/sqlite/network_file_system.h"

#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>

#include <algorithm>
#include <array>
#include <fstream>

namespace actforge {
namespace {

struct Row {
  std::uint64_t magic;
  std::string_view name;
};

// From statfs(2), linux/magic.h and the systems' own sources. The last four are folders of a host seen from a guest:
// its locks are not those of the host's processes, or there are none at all.
constexpr Row kRefused[] = {
    {0x6969, "NFS"},
    {0x517b, "SMB"},
    {0xff534d42, "CIFS"},
    {0xfe534d42, "SMB2"},
    {0x564c, "NCP"},
    {0x5346414f, "AFS"},
    {0x6b414653, "AFS"},
    {0x73757245, "Coda"},
    {0x00c36400, "Ceph"},
    {0x0bd00bd0, "Lustre"},
    {0x19830326, "BeeGFS"},
    {0x47504653, "GPFS"},
    {0xaad7aaea, "PanFS"},
    {0x20030528, "OrangeFS"},
    {0x7461636f, "OCFS2"},
    {0x01161970, "GFS2"},
    {0x01021997, "9p"},
    {0x786f4256, "VirtualBox's shared folders"},
    {0xbacbacbc, "VMware's shared folders"},
    {0x7c7c6013, "Parallels' shared folders"},
};

constexpr std::uint64_t kFuse = 0x65735546;

// FUSE is anything: these reach another machine. What only changes a local folder (gocryptfs, mergerfs, fuse-overlayfs,
// NTFS) keeps the kernel's locks.
constexpr std::array<std::string_view, 20> kRemoteFuse = {"sshfs",     "glusterfs", "s3fs",    "goofys",    "gcsfuse",
                                                          "rclone",    "davfs",     "davfs2",  "curlftpfs", "ceph",
                                                          "ceph-fuse", "cephfs",    "moosefs", "mfs",       "juicefs",
                                                          "blobfuse",  "blobfuse2", "afp",     "smbnetfs",  "mount-s3"};

std::string_view name_of_fuse(std::string_view type) {
  constexpr std::string_view kPrefix = "fuse.";
  if (type.starts_with(kPrefix)) type.remove_prefix(kPrefix.size());
  // juicefs and s3fs put their volume into the name: "JuiceFS:name".
  return type.substr(0, type.find(':'));
}

bool same_ignoring_case(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::ranges::equal(a, b, {}, lower, lower);
}

// "36 35 98:0 /root /mount options optional... - type source options": the third field is the device, the one behind
// the dash the type.
std::string mounted_type(dev_t device) {
  const std::string wanted = " " + std::to_string(major(device)) + ":" + std::to_string(minor(device)) + " ";
  std::ifstream mounts("/proc/self/mountinfo");
  for (std::string line; std::getline(mounts, line);) {
    const std::size_t second = line.find(' ', line.find(' ') + 1);
    const std::size_t dash = line.find(" - ");
    if (second == std::string::npos || dash == std::string::npos || line.compare(second, wanted.size(), wanted) != 0) {
      continue;
    }
    return line.substr(dash + 3, line.find(' ', dash + 3) - dash - 3);
  }
  return "";
}

}  // namespace

std::optional<std::string_view> network_file_system(const FileSystem& system) {
  if (system.magic == kFuse) {
    const std::string_view type = name_of_fuse(system.type);
    for (const std::string_view remote : kRemoteFuse) {
      if (same_ignoring_case(type, remote)) return remote;
    }
    return std::nullopt;
  }
  for (const Row& row : kRefused) {
    if (row.magic == system.magic) return row.name;
  }
  return std::nullopt;
}

FileSystem file_system_of(const std::string& path) {
  FileSystem system;
  struct statfs answer = {};
  if (statfs(path.c_str(), &answer) != 0) return system;
  // A signed number on some machines: CIFS would become negative.
  system.magic = static_cast<std::uint32_t>(answer.f_type);
  struct stat status = {};
  if (system.magic == kFuse && stat(path.c_str(), &status) == 0) system.type = mounted_type(status.st_dev);
  return system;
}

}  // namespace actforge
