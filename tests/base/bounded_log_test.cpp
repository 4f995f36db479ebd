#include "actforge/base/bounded_log.h"

#include <gtest/gtest.h>

#include "actforge/base/error.h"
#include "actforge/base/read_file.h"
#include "tests/data/scratch.h"

namespace actforge {
namespace {

class BoundedLogTest : public testing::Test {
 protected:
  std::string text() const { return read_file(path).value_or("none"); }

  ScratchFolder folder;
  std::string path = (folder.path() / "logs" / "deep" / "1.log").string();
};

TEST_F(BoundedLogTest, KeepsAllOfWhatIsShort) {
  {
    BoundedLog log(path);
    log.write("one\n");
    log.write(std::string("\0two", 4));
    EXPECT_EQ(text(), std::string("one\n\0two", 8));  // it can be watched
  }
  EXPECT_EQ(text(), std::string("one\n\0two", 8));
  BoundedLog again(path);
  EXPECT_EQ(text(), "");
}

TEST_F(BoundedLogTest, KeepsTheBeginningAndTheEnd) {
  std::string all;
  {
    BoundedLog log(path);
    for (int i = 0; i < 100000; ++i) {
      const std::string line = std::to_string(i) + "\n";
      log.write(line);
      all += line;
    }
  }
  const std::string kept = text(), note = "\n[... " +
                                          std::to_string(all.size() - BoundedLog::kHead - BoundedLog::kTail) +
                                          " bytes left out ...]\n";
  EXPECT_EQ(kept, all.substr(0, BoundedLog::kHead) + note + all.substr(all.size() - BoundedLog::kTail));
}

TEST_F(BoundedLogTest, ExactlyWhatFitsIsWhole) {
  const std::string all(BoundedLog::kHead + BoundedLog::kTail, 'x');
  BoundedLog(path).write(all);
  EXPECT_EQ(text(), all);
}

TEST_F(BoundedLogTest, WithoutAPlaceKeepsNothing) { BoundedLog("").write("one"); }

TEST_F(BoundedLogTest, SaysWhereItCannotWrite) {
  const std::string below = (folder.path() / "file" / "1.log").string();
  BoundedLog((folder.path() / "file").string()).write("x");
  EXPECT_THROW(BoundedLog log(below), Error);
}

}  // namespace
}  // namespace actforge
