#include "actforge/base/read_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "tests/data/scratch.h"

namespace actforge {
namespace {

TEST(ReadFile, GivesEveryByte) {
  const ScratchFolder folder;
  const std::string path = (folder.path() / "file").string();
  for (const std::string& bytes : {std::string(), std::string("a\0b\r\n\xff", 6), std::string(300'000, 'x')}) {
    std::ofstream(path, std::ios::binary) << bytes;
    EXPECT_EQ(read_file(path), bytes);
    EXPECT_EQ(read_file(path, bytes.size()), bytes);
    if (!bytes.empty()) {
      EXPECT_EQ(read_file(path, bytes.size() - 1), std::nullopt);
    }
  }
}

TEST(ReadFile, NeverWaitsAndAlwaysEnds) {
  const ScratchFolder folder;
  const std::string pipe = (folder.path() / "pipe").string();
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string& path :
       {pipe, folder.path().string(), (folder.path() / "none").string(), std::string("/dev/zero"), std::string()}) {
    EXPECT_EQ(read_file(path), std::nullopt) << path;
  }
}

}  // namespace
}  // namespace actforge
