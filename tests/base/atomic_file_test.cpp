#include "actforge/base/atomic_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "actforge/base/error.h"

namespace actforge {
namespace {

namespace fs = std::filesystem;

class AtomicFileTest : public testing::Test {
 protected:
  AtomicFileTest() {
    folder_ = fs::temp_directory_path() / ("actforge-atomic-" + std::to_string(getpid()));
    fs::create_directory(folder_);
  }
  ~AtomicFileTest() override { fs::remove_all(folder_); }

  std::string path(const char* name) const { return (folder_ / name).string(); }
  std::string content(const char* name) const {
    std::ifstream file(path(name));
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::ptrdiff_t file_count() const { return std::distance(fs::directory_iterator(folder_), fs::directory_iterator()); }

  fs::path folder_;
};

TEST_F(AtomicFileTest, AppearsWhenItIsWhole) {
  {
    AtomicFile file(path("a"));
    file.write("one ");
    EXPECT_FALSE(fs::exists(path("a")));
    file.write("two");
    file.commit();
  }
  EXPECT_EQ(content("a"), "one two");
  EXPECT_EQ(file_count(), 1);
}

TEST_F(AtomicFileTest, WithoutCommitTheOldOneStays) {
  write_file(path("a"), "old");
  {
    AtomicFile file(path("a"));
    file.write(std::string(3'000'000, 'x'));
  }
  EXPECT_EQ(content("a"), "old");
  EXPECT_EQ(file_count(), 1);
}

TEST_F(AtomicFileTest, APartGoesBesideIt) {
  write_file(path("a"), "old");
  AtomicFile file(path("a"));
  file.write("new");
  EXPECT_EQ(file.commit_part(), path("a.part"));
  EXPECT_EQ(content("a"), "old");
  EXPECT_EQ(content("a.part"), "new");
}

TEST_F(AtomicFileTest, ANewFileReplacesNothing) {
  for (const char* name : {"a", "a.2", "a.3"}) {
    AtomicFile file(path("a"));
    file.write(name);
    EXPECT_EQ(file.commit_new(path("a")), path(name));
  }
  for (const char* name : {"a", "a.2", "a.3"}) EXPECT_EQ(content(name), name);
  fs::remove(path("a.2"));
  fs::create_symlink("nowhere", path("a.2"));
  AtomicFile file(path("a"));
  EXPECT_EQ(file.commit_new(path("a")), path("a.4"));
  EXPECT_EQ(file_count(), 4);
}

TEST_F(AtomicFileTest, KeepsWhoMayReadIt) {
  write_file(path("a"), "secret");
  fs::permissions(path("a"), fs::perms::owner_read | fs::perms::owner_write);
  write_file(path("a"), "another");
  EXPECT_EQ(fs::status(path("a")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(AtomicFileTest, FollowsLinks) {
  write_file(path("a"), "old");
  fs::create_symlink("a", path("link"));
  fs::create_symlink("not-yet", path("dangling"));
  write_file(path("link"), "new");
  write_file(path("dangling"), "made");
  EXPECT_EQ(content("a"), "new");
  EXPECT_EQ(content("not-yet"), "made");
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_TRUE(fs::is_symlink(path("dangling")));
  fs::create_symlink("circle", path("circle"));
  EXPECT_THROW(write_file(path("circle"), "x"), Error);
}

TEST_F(AtomicFileTest, SaysWhyNot) {
  EXPECT_THROW(write_file(path("missing/a"), "x"), Error);
  EXPECT_THROW(write_file(folder_.string(), "x"), Error);
}

}  // namespace
}  // namespace actforge
