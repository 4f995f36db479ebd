#include "actforge/import/find_network.h"

#include <unistd.h>

#include <filesystem>

#include "actforge/base/atomic_file.h"
#include "actforge/net/graph/network_json.h"
#include "tests/net/net_helpers.h"

namespace actforge {
namespace {

namespace fs = std::filesystem;

class FindNetwork : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("actforge-find-" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string file(const std::string& name, const std::string& text) const {
    write_file((folder_ / name).string(), text);
    return (folder_ / name).string();
  }

  fs::path folder_;
  Network network_ = build_network("mlp-2-8", {.input = {1, 8, 8}, .classes = 3});
};

TEST_F(FindNetwork, TakesNamesAndFilesOfBothForms) {
  expect_equal(find_network("mlp-2-8", {.input = {1, 8, 8}, .classes = 3}), network_);
  expect_equal(find_network(file("a.net", network_text(network_))), network_);
  expect_equal(find_network(file("a", "\n\n  " + network_json(network_))), network_);
  expect_equal(find_network(file("b", "\xEF\xBB\xBF" + network_text(network_))), network_);
  expect_equal(find_network(file("c", "\xEF\xBB\xBF" + network_json(network_))), network_);
}

TEST_F(FindNetwork, FilesHaveTheirOwnInputAndClasses) {
  const std::string path = file("a.net", network_text(network_));
  expect_equal(find_network(path, {.input = {1, 8, 8}, .classes = 3}), network_);
  EXPECT_TRUE(contains(refusal([&] { find_network(path, {.input = {3, 8, 8}}); }), "its input is 1x8x8, not 3x8x8"));
  EXPECT_TRUE(contains(refusal([&] { find_network(path, {.classes = 10}); }), "its answer has 3 numbers, not 10"));
}

TEST_F(FindNetwork, ErrorsNameTheFile) {
  const std::string wrong = file("w.net", "network a\nx = inptu(shape=3)\n");
  EXPECT_TRUE(contains(refusal([&] { find_network(wrong); }), wrong + ": line 2: layer 'x': unknown kind"));
  EXPECT_TRUE(contains(refusal([&] { find_network(file("e.net", "")); }), "it is empty"));
  EXPECT_TRUE(contains(refusal([&] { find_network(file("e.json", "{")); }), "not valid JSON"));
  EXPECT_TRUE(contains(refusal([&] { find_network("missing.net"); }), "'missing.net' is not a file"));
  EXPECT_TRUE(contains(refusal([&] { find_network(folder_.string()); }), "is not a file"));
  EXPECT_TRUE(contains(refusal([&] { find_network("/dev/zero"); }), "is not a file"));
  EXPECT_TRUE(contains(refusal([] { find_network("allcnn"); }), "unknown network 'allcnn'"));
  const std::string large = file("large.net", "");
  fs::resize_file(large, std::uintmax_t{1} << 40);  // holes take no room
  EXPECT_TRUE(contains(refusal([&] { find_network(large); }), "too large"));
}

}  // namespace
}  // namespace actforge
