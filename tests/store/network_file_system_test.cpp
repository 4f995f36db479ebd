#include "actforge/store/sqlite/network_file_system.h"

#include <gtest/gtest.h>

#include "tests/data/scratch.h"

namespace actforge {
namespace {

std::string name_of(std::uint64_t magic, const std::string& type = "") {
  return std::string(network_file_system({.magic = magic, .type = type}).value_or("local"));
}

TEST(NetworkFileSystem, KnowsThoseThatReachAnotherMachine) {
  EXPECT_EQ(name_of(0x6969), "NFS");
  EXPECT_EQ(name_of(0x517b), "SMB");
  EXPECT_EQ(name_of(0xff534d42), "CIFS");
  EXPECT_EQ(name_of(0xfe534d42), "SMB2");
  EXPECT_EQ(name_of(0x01021997), "9p");
  EXPECT_EQ(name_of(0x00c36400), "Ceph");
  EXPECT_EQ(name_of(0x0bd00bd0), "Lustre");
  EXPECT_EQ(name_of(0x47504653), "GPFS");
}

TEST(NetworkFileSystem, LeavesLocalOnesAlone) {
  EXPECT_EQ(name_of(0xef53), "local");      // ext4
  EXPECT_EQ(name_of(0x58465342), "local");  // XFS
  EXPECT_EQ(name_of(0x9123683e), "local");  // Btrfs
  EXPECT_EQ(name_of(0x01021994), "local");  // tmpfs
  EXPECT_EQ(name_of(0x794c7630), "local");  // overlayfs
  EXPECT_EQ(name_of(0x2fc12fc1), "local");  // ZFS
  EXPECT_EQ(name_of(0), "local");           // the system does not say
}

TEST(NetworkFileSystem, OfFuseTheTypeDecides) {
  constexpr std::uint64_t kFuse = 0x65735546;
  EXPECT_EQ(name_of(kFuse, "fuse.sshfs"), "sshfs");
  EXPECT_EQ(name_of(kFuse, "fuse.glusterfs"), "glusterfs");
  EXPECT_EQ(name_of(kFuse, "fuse.JuiceFS:volume"), "juicefs");
  EXPECT_EQ(name_of(kFuse, "fuse.rclone"), "rclone");
  EXPECT_EQ(name_of(kFuse, "fuse.gocryptfs"), "local");
  EXPECT_EQ(name_of(kFuse, "fuse.fuse-overlayfs"), "local");
  EXPECT_EQ(name_of(kFuse, "fuseblk"), "local");
  EXPECT_EQ(name_of(kFuse, ""), "local");
  EXPECT_EQ(name_of(0xef53, "fuse.sshfs"), "local");
}

TEST(NetworkFileSystem, AsksTheSystem) {
  const ScratchFolder folder;
  EXPECT_NE(file_system_of(folder.path().string()).magic, 0u);
  EXPECT_EQ(file_system_of((folder.path() / "missing").string()).magic, 0u);
}

}  // namespace
}  // namespace actforge
